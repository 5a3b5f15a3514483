"""The exercises of the course: a folder for each notebook, a file for each exercise, named as in `checks.<name>`.

An exercise's file begins with what the learner writes, such as `my_softmax(scores)`, and what that is. It holds the
solution, the inputs to try (`cases`), the table of mistakes, and the Exercise made of them.
"""
