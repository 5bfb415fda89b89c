/** Validates the address of the PostgreSQL with the tenants, and says what became of daemons that shared a folder of tenants. */
import { addressOf } from "../../sync/state/replication/postgres/Address.ts"

/** What is wrong with it, in words; undefined if it is valid. */
export const clusterProblem = (url: string, flag = "--cluster"): string | undefined => {
  const address = addressOf(url)
  return typeof address === "string" ? `${flag}: ${address}` : undefined
}

export const NO_SHARD = "--shard cannot be combined with --cluster"

/** @param then what to do afterwards */
export const noNodes = (folder: string, then: (folder: string) => string): string =>
  "tenants that several machines share have their configuration in PostgreSQL now, and not in a folder. Move them there once, with " +
  `DAYBOOK_SEAL set: daybook cluster init --cluster URL, and daybook tenants import --all --tenants ${folder} --database URL. ` +
  `Then ${then(folder)}`
