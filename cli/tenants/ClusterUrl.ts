/** Validates the address of a cluster's PostgreSQL. */
import { addressOf } from "../../sync/state/replication/postgres/Address.ts"

/** What is wrong with it, in words; undefined if it is valid. */
export const clusterProblem = (url: string, flag = "--cluster"): string | undefined => {
  const address = addressOf(url)
  return typeof address === "string" ? `${flag}: ${address}` : undefined
}

export const NO_SHARD = "--shard cannot be combined with --cluster"
