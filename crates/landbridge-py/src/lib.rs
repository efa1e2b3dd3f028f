//! landbridge-py
