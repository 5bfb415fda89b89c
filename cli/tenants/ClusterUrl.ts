/** Validates the address of a cluster's PostgreSQL. */
import { addressOf } from "../../sync/state/replication/postgres/Address.ts"

/** What is wrong with it, in words; undefined if it is valid. */
export const clusterProblem = (url: string): string | undefined => {
  const address = addressOf(url)
  return typeof address === "string" ? `--cluster: ${address}` : undefined
}

export const NO_SHARD = "--shard cannot be combined with --cluster"
