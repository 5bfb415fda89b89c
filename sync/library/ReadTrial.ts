/** Reads sources into copies of the books, for plans that are only tried out: what is stored here stays as it is. */
import { Effect } from "effect"
import type { ReadsSource } from "../reports/WhatIf.ts"
import * as Sync from "../Sync.ts"
import type { Configuration } from "./config/Configuration.ts"
import { messageOf } from "./Exit.ts"
import * as ServiceClient from "./ServiceClient.ts"

/** @param state the state file, beside which the secrets are */
export const readsSource =
  (settings: { readonly today: Configuration; readonly other: Configuration }, state: string): ReadsSource =>
  (connection, of) =>
    Sync.read({ ...settings[of], vaultOf: state }, connection).pipe(
      Effect.provide(ServiceClient.outside),
      Effect.mapError(messageOf)
    )
