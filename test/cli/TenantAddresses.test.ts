/** Addresses below a tenant's, and the list of all tenants in pages. */
import { assert, describe, it } from "@effect/vitest"
import { below, cookieBelow, pageBelow, within } from "../../cli/tenants/Addresses.ts"
import { found, paged } from "../../cli/tenants/TenantSearch.ts"
import type { TenantStatus } from "../../sync/library/many/ManyTenants.ts"
import { NO_FIGURES } from "../../sync/library/many/TenantFigures.ts"

describe("addresses below a tenant's", () => {
  it("are those of its page, and leave what all have in common where it is", () => {
    assert.strictEqual(below("/t/a", "/"), "/t/a/")
    assert.strictEqual(below("/t/a", "/documents?q=1"), "/t/a/documents?q=1")
    for (const common of ["/style.css", "/login", "/leave", "/t/", "//elsewhere", "https://elsewhere/x"])
      assert.strictEqual(below("/t/a", common), common)
    assert.strictEqual(below("/t/a", "/login?to=%2Fplans"), "/login?to=%2Ft%2Fa%2Fplans")
    assert.strictEqual(
      cookieBelow("/t/a", "daybook_looked=1.2; Path=/; HttpOnly"),
      "daybook_looked=1.2; Path=/t/a; HttpOnly"
    )
    assert.strictEqual(cookieBelow("/t/a", "daybook=1.2; Path=/; HttpOnly"), "daybook=1.2; Path=/; HttpOnly")
    assert.strictEqual(within("/t/a/documents/x"), "/documents/x")
    assert.strictEqual(within("/t/a"), "/")
    assert.strictEqual(
      pageBelow("/t/a", '<a href="/plans">x</a> href=&quot;/no&quot; <form action="/leave">'),
      '<a href="/t/a/plans">x</a> href=&quot;/no&quot; <form action="/leave">'
    )
  })

  it("and a list of tenants comes in pages, each tenant once", () => {
    const all = Array.from(
      { length: 7 },
      (_, n): TenantStatus => ({ ...NO_FIGURES, name: `t${n}`, state: "waiting", next: null })
    )
    const names: Array<string> = []
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: { rows: ReadonlyArray<TenantStatus>; next?: string } = paged(
        found(all, { search: "T", after }),
        after,
        3
      )
      names.push(...page.rows.map(({ name }) => name))
      after = page.next
    }
    assert.deepStrictEqual(names, ["t0", "t1", "t2", "t3", "t4", "t5", "t6"])
  })
})
