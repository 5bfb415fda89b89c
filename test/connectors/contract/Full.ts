/**
 * A process that renews a token in a vault, or puts (`replace`) one there whatever was in it: says whether the source was
 * asked and what was kept. Before the source answers, a file can be filled in a folder until the disk has no more room.
 */
import { Effect } from "effect"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import * as Encryption from "../../../sync/vault/Encryption.ts"
import * as Vault from "../../../sync/vault/Vault.ts"

const [file, key, length, how, fill] = process.argv.slice(2)
const vault = Vault.make({ file: file!, key: Encryption.key(key!, "the test"), name: "books", connector: "test" })
let asked = false
const change = Effect.sync(() => {
  asked = true
  try {
    while (fill !== undefined) appendFileSync(join(fill, "filler"), Buffer.alloc(512))
  } catch {
    // Full.
  }
  return "t".repeat(Number(length))
})
const put = vault.replace(Effect.map(change, (text) => ({ text })))
const work = how === "replace" ? Effect.map(put, ({ text }) => text) : vault.update(() => change)
const kept = await Effect.runPromise(Effect.result(work))
const said = kept._tag === "Success" ? kept.success.length : kept.failure.message
process.stdout.write(JSON.stringify({ asked, said }))
