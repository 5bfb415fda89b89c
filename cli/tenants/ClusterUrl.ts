/** Validates the address of a cluster's PostgreSQL. */

/** What is wrong with it, in words; undefined if it is valid. */
export const clusterProblem = (url: string): string | undefined => {
  const parsed = URL.parse(url)
  if (parsed !== null && ["postgres:", "postgresql:"].includes(parsed.protocol) && parsed.hostname !== "")
    return undefined
  return "--cluster: write the address of PostgreSQL, like postgres://daybook@db.example.com/daybook?sslmode=verify-full; its password belongs into PGPASSWORD or a password file"
}
