"""Serializers: the JSON of the API's requests and answers."""
