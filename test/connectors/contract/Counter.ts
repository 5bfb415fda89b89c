/** A process that changes a vault ten times: it adds one to what is there, with a pause in between. */
import { Effect } from "effect"
import * as Encryption from "../../../sync/vault/Encryption.ts"
import * as Vault from "../../../sync/vault/Vault.ts"

const [file, key] = process.argv.slice(2)
const vault = Vault.make({ file: file!, key: Encryption.key(key!, "the test"), name: "books", connector: "test" })
await Effect.runPromise(
  Effect.repeat(
    vault.update((held) => Effect.delay(Effect.succeed(String(Number(held ?? "0") + 1)), "5 millis")),
    { times: 9 }
  )
)
