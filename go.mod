module github.com/octable/octable

go 1.26.0
