"""What two Programs compute: whether they are equal, by how much they differ, and at which inputs."""
