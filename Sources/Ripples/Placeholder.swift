// Ripples
