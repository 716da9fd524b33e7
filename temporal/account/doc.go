// Package account shares the limits of a provider's account over all workers of a fleet. Each account is a workflow that hands out
// leases; a dispatch starts only with a lease. Policy is a Book, the workflow around it only brings the time, and a Lease is what
// an activity uses.
package account
