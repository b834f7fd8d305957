"""PX4's EKF2 and yaw estimator: the code of their derivations beside what SymForce generates of them."""
