// Pixman
