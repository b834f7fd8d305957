"""The books and papers that the steps of several subjects cite."""

DIEBEL = "Diebel, Representing Attitude (2006), section 6"
FEATHERSTONE = "Featherstone, Rigid Body Dynamics Algorithms (2008), section"
SCHAUB = "Schaub and Junkins, Analytical Mechanics of Space Systems, section"
STEVENS = "Stevens and Lewis, Aircraft Control and Simulation, section"
GOLDSTEIN = "Goldstein, Classical Mechanics, section"
GOLUB = "Golub and Van Loan, Matrix Computations, 4th ed. (2013), section"
SOLA = "Sola, Quaternion kinematics for the error-state Kalman filter (2017), section"
WENSING = (
    "Wensing, Kim and Slotine, Linear matrix inequalities for physically consistent inertial parameter "
    "identification, IEEE RA-L 3(1), 2018"
)
