package compile

func (c *compiler) layout() {}
