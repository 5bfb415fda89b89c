/**
 * Tries many generated files with disturbances: `node test/sync/setup/disturb.ts 20000 [FIRST [KIND]]`, where FIRST is the first seed.
 * Fails if one of them is read wrong without a word.
 */
import { GENERATED, type Generated, generated } from "./Generated.ts"

const [count, first] = [Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 1)]
/** Only the kinds that have this text in their names. */
const kinds = GENERATED.filter((kind) => kind.includes(process.argv[4] ?? ""))
let wrong = 0
for (let seed = first; seed < first + count; seed++) {
  const kind = kinds[seed % kinds.length] as Generated
  const found = await generated[kind].wrong(seed).catch((cause: unknown) => String(cause))
  if (found === undefined) continue
  wrong++
  console.log(`file ${seed}, ${kind} (${generated[kind].names(seed).join("; ")}): ${found}`)
}
console.log(`${wrong} of ${count} files were read wrong`)
process.exit(wrong === 0 ? 0 : 1)
