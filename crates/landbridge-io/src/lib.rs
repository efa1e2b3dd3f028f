//! landbridge-io
