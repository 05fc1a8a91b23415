/**
 * The client of the auth service: may this user enter my application, and with which roles?
 *
 * <p>A {@link authservice.Client} asks the service. A {@link authservice.Guard} lets only users with access reach an application.
 * {@link authservice.WebhookVerifier} and {@link authservice.ChangeVerifier} verify what the service has sent.
 *
 * <p>Everything fails closed: an error never counts as enabled.
 */
package authservice;
