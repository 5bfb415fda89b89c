/** Addresses of the service and of sources, as a configuration gives them. */

/**
 * Why an address cannot be used, or undefined: HTTPS only, except to this machine (DP 5).
 *
 * @param key where the key is given
 */
export const addressProblem = (address: string, key = "as service.key"): string | undefined => {
  if (!URL.canParse(address))
    return `${JSON.stringify(address)} is not an address; write it like https://api.example.com`
  const url = new URL(address)
  // What stands there may be the key, so the address is not repeated.
  if (url.username !== "" || url.password !== "") return `the address contains a user name; give the key ${key}`
  if (url.search !== "" || url.hash !== "") return `${address} goes on after its path; leave "?" and "#" out`
  if (url.protocol === "https:") return undefined
  if (url.protocol !== "http:") return `${address} is neither https nor http`
  return ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
    ? undefined
    : `${address} would send the key in the clear; use https (plain http is accepted to this machine only)`
}
