"""Sentences for readers in their language: advice on rejections, progress steps and notifications."""
