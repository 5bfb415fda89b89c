/** Tests which versions of Daybook can work with the tables of a cluster at the same time. */
import { describe, expect, it } from "vitest"
import { formatProblem } from "../../../sync/state/replication/postgres/Schema.ts"

describe("nodes of two versions with the same tables", () => {
  it("go on while the tables only have more than the older version knows", () => {
    expect(formatProblem({ version: 3, least: 2 }, 2)).toBeUndefined()
    expect(formatProblem({ version: 2, least: 1 }, 2)).toBeUndefined()
  })

  it("are refused where the tables changed under the older version, and before they are upgraded for the newer one", () => {
    expect(formatProblem({ version: 4, least: 3 }, 2)).toContain("update Daybook")
    expect(formatProblem({ version: 1, least: 1 }, 2)).toContain("run daybook cluster init")
    expect(formatProblem({ version: 0, least: 0 }, 2)).toContain("no tables of Daybook")
  })
})
