/** The limits of a source. Part of `Connector.ts`. */

/** The source's documented limits. Within one program, connections keep to them together. */
export interface Limits {
  readonly perMinute?: number
  readonly perDay?: number
  /** Concurrent requests. */
  readonly atOnce?: number
  /**
   * Whose requests the source counts together in all of these: those about one account (an organisation, a shop), by
   * one key or client, to one server, or of one authorisation, which no other connection has. By default, those by one key, and with
   * OAuth 2 those of one authorisation.
   */
  readonly by?: "account" | "key" | "server" | "authorisation"
  /** What all authorisations of one app have together beside that, as a platform has them. */
  readonly app?: Pick<Limits, "perMinute" | "perDay" | "atOnce">
  /** Records per page. */
  readonly page?: number
}
