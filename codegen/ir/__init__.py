"""The intermediate representation: operations, expressions, Programs, number systems and costs."""
