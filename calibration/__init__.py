"""What is known of one board and one camera: geometry, transforms, profiles."""
