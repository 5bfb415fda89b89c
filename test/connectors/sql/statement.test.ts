/** One SELECT and nothing else; where a cursor begins again; what floating-point numbers are good for. */
import { assert, describe, it } from "vitest"
import { ahead, behind } from "../../../connectors/sql/Cursor.ts"
import { floating } from "../../../connectors/sql/Sqlite.ts"
import { notOne, select } from "../../../connectors/sql/Statement.ts"

describe("a query", () => {
  it("is one SELECT", () => {
    for (const query of [
      "SELECT * FROM invoice",
      "select 1;  ",
      "-- the books\nSELECT 1",
      "/* the books */ (SELECT 1)",
      "WITH sold AS (SELECT * FROM invoice) SELECT * FROM sold",
      "SELECT ';', ')', 'it''s', \"a;b\", `c)d` FROM t -- ; DROP TABLE t",
      "SELECT 'C:\\' AS path, x FROM t WHERE y = ')'",
      "SELECT 'a\\'; )' FROM t",
      "SELECT $$a ; b$$, $x$ ) $x$",
      "SELECT \"update\", updated, replace(a, 'b', 'c') FROM t"
    ])
      assert.isUndefined(notOne(query), query)
  })

  it("is nothing else, and the reason says so", () => {
    const wrong: ReadonlyArray<readonly [string, RegExp]> = [
      ["", /empty/],
      ["-- nothing", /empty/],
      ["UPDATE invoice SET gross = 0", /one SELECT: Daybook only reads/],
      ["SELECT 1; SELECT 2", /one statement only/],
      ["SELECT 1) AS q; DROP TABLE t; SELECT (1", /closes a bracket/],
      ["SELECT (1", /opens a bracket/],
      ["SELECT * INTO OUTFILE '/x' FROM t", /remove INTO/],
      ["WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a", /remove DELETE/],
      ["SELECT /*! 1 INTO OUTFILE '/x' */ FROM t", /comments that begin/],
      ["EXPLAIN SELECT 1", /one SELECT/]
    ]
    for (const [query, why] of wrong) assert.match(notOne(query) ?? "taken", why, query)
  })

  it("is a table that pages are read from, whatever it ends with", () => {
    assert.strictEqual(
      select("SELECT 1 AS a -- one\n; ", { where: "a > 1", order: ["a"] }),
      "SELECT * FROM (\nSELECT 1 AS a -- one\n) AS daybook_rows WHERE a > 1 ORDER BY a"
    )
  })
})

describe("a cursor", () => {
  it("begins again a little before its end, written as the database writes it", () => {
    const cases: ReadonlyArray<readonly [string, number | undefined, string]> = [
      ["2026-03-01 00:05:00", undefined, "2026-02-28 23:55:00"],
      ["2026-03-01T00:05:00Z", 60, "2026-03-01T00:04:00Z"],
      // A second earlier, because ".5Z" sorts before "Z".
      ["2026-03-01T00:05:00.5Z", 60, "2026-03-01T00:03:59Z"],
      ["2026-03-01 00:05:00.123456+00", 300, "2026-02-28 23:59:59+00"],
      ["2024-03-01", undefined, "2024-02-29"],
      ["2024-03-01", 86_401, "2024-02-28"],
      ["9007199254740993", undefined, "9007199254739993"],
      ["1700000000.25", 600, "1699999400"],
      ["01HV3ZK5", 600, "01HV3ZK5"],
      ["2026-03-01 00:05:00.5", 0, "2026-03-01 00:05:00.5"]
    ]
    for (const [text, overlap, from] of cases) assert.strictEqual(behind({ text }, overlap).text, from)
  })

  it("is ahead of its time by more than any zone", () => {
    const now = Date.parse("2026-03-01T12:00:00Z")
    assert.isFalse(ahead({ text: "2026-03-02 02:00:00" }, now))
    assert.isTrue(ahead({ text: "2026-03-02 12:00:01" }, now))
    assert.isFalse(ahead({ text: "999999999999" }, now))
  })
})

describe("a floating-point number", () => {
  it("has the fifteen digits that it is good for, and is refused where those are not the cents", () => {
    assert.deepStrictEqual([0.1 + 0.2, 119.99, 99_999_999_999.99, 5, -0.5, 1e12].map(floating), [
      "0.3",
      "119.99",
      "99999999999.99",
      "5",
      "-0.5",
      "1000000000000"
    ])
    assert.match(floating(Number("90071992547409.93")), /floating-point number, which does not hold cents/)
  })
})
