/** Validates addresses of the service and of sources, as given in a configuration. */

/**
 * Why an address cannot be used, or undefined: only HTTPS is allowed, except for this machine (DP 5).
 *
 * @param key where the key is configured, for the message
 */
export const addressProblem = (address: string, key = "as service.key"): string | undefined => {
  if (!URL.canParse(address))
    return `${JSON.stringify(address)} is not an address; write it like https://api.example.com`
  const url = new URL(address)
  // The user name or password may be the key, so the address is not repeated.
  if (url.username !== "" || url.password !== "") return `the address contains a user name; give the key ${key}`
  if (url.search !== "" || url.hash !== "") return `${address} has a query or a fragment; leave "?" and "#" out`
  if (url.protocol === "https:") return undefined
  if (url.protocol !== "http:") return `${address} is neither https nor http`
  return ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
    ? undefined
    : `${address} would send the key in the clear; use https (plain http is accepted to this machine only)`
}
