package sessions

// toVersion4 adds the wish to see every plan, which nobody had before.
func (o *older) toVersion4() {
	o.fill("reviewPlans", false, "false")
}
