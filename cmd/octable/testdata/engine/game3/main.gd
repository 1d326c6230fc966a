extends Node
var gold = 5

func _ready():
	print("hello from the game")
	push_warning("take care")
	buy(3)

func buy(price):
	var here = Vector2(1, 2)
	breakpoint
	gold -= price
	print("the rest is ", gold)
	yield_and_quit()

func yield_and_quit():
	yield(get_tree().create_timer(0.2), "timeout")
	get_tree().quit()
