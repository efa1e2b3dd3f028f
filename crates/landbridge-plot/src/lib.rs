//! landbridge-plot
