// Package authservice is the client of the auth service: may this user enter my application, and with which roles?
//
// A [Client] asks the service. A [Replica] decides in memory, by a copy that follows changes. A [Guard] protects handlers of
// net/http with either of them. [VerifyWebhook] and [VerifyChange] verify what the service has sent.
//
// Everything fails closed: an error never counts as enabled.
package authservice

const userAgent = "auth-service-go/0.1.0"
