/**
 * Opens, pulls, plans and closes again and again, each time with another state file and another key, and says how much
 * memory is in use on the way. Run with `--expose-gc`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Config, Daybook } from "../../sync/library/Daybook.ts"

const [cycles, files, config] = process.argv.slice(2)
const used: Array<number> = []
for (let n = 0; n <= Number(cycles); n++) {
  const folder = mkdtempSync(join(tmpdir(), "daybook-cycle-"))
  for (const [name, text] of Object.entries(JSON.parse(files!) as Record<string, string>))
    writeFileSync(join(folder, name), text)
  const daybook = await Daybook.open(JSON.parse(config!) as Config, {
    folder,
    state: join(folder, "daybook.db"),
    environment: { SERVICE_KEY: `sk-${n}` },
    shared: n % 2 === 0
  })
  await daybook.pull()
  await daybook.plan()
  await daybook.close()
  rmSync(folder, { recursive: true })
  if (n % 20 === 0) {
    for (let again = 0; again < 3; again++) globalThis.gc!()
    used.push(process.memoryUsage().heapUsed)
  }
}
process.stdout.write(JSON.stringify(used))
