/** Names of companies as registers, shops and people write them: the same company has the same name, whatever its legal form. */
import { assert, describe, it } from "@effect/vitest"
import { isSameNumber, isSameParty, mayNameBuyer, namesBuyer } from "../../../sync/model/PartyName.ts"

/** Each line: one company, written in several ways. */
const SAME: ReadonlyArray<ReadonlyArray<string>> = [
  [
    "Kowalski Sp. z o.o.",
    "KOWALSKI SP Z O O",
    "Kowalski Sp.z o.o.",
    "Kowalski spółka z ograniczoną odpowiedzialnością"
  ],
  ["Nowak Sp. k.", "Nowak sp.k.", "Nowak spółka komandytowa"],
  ["Dvořák s.r.o.", "Dvořák, spol. s r.o.", "Dvořák společnost s ručením omezeným"],
  ["Škoda a.s.", "Škoda akciová společnost", "ŠKODA A. S."],
  ["Szabó Kft.", "SZABÓ Korlátolt Felelősségű Társaság"],
  ["Novak d.o.o.", "Novak D. O. O.", "Novak društvo s ograničenom odgovornošću"],
  ["Nielsen A/S", "Nielsen AS", "Nielsen Aktieselskab"],
  ["Virtanen Oyj", "Virtanen Julkinen Osakeyhtiö"],
  ["Volvo AB (publ)", "Volvo Aktiebolag"],
  ["Duval S.à r.l.", "Duval SARL", "Duval S.A.R.L.", "DUVAL Société à responsabilité limitée"],
  ["Muster UG (haftungsbeschränkt)", "Muster UG", "Muster Unternehmergesellschaft (haftungsbeschränkt)"],
  ["Muster GmbH & Co. KG", "Muster GmbH und Co KG", "Muster GmbH + Co. KG", "MUSTER GMBH & CO. Kommanditgesellschaft"],
  ["Muster Gesellschaft mbH", "Muster GmbH", "Muster Ges.m.b.H."],
  ["Koala Pty Ltd", "Koala Pty. Limited", "Koala Proprietary Limited"],
  ["Merlion Pte. Ltd.", "Merlion Private Limited"],
  ["Harimau Sdn. Bhd.", "Harimau Sendirian Berhad"],
  ["Casa Lda.", "Casa Limitada", "Casa Ltda."],
  ["Tienda S.A. de C.V.", "TIENDA SA DE CV"],
  ["Rossi S.r.l.", "Rossi S. R. L.", "Rossi società a responsabilità limitata"],
  ['UAB "Baltija"', "Baltija, UAB", "Baltija Uždaroji akcinė bendrovė"],
  ["SIA Liepa", "Liepa SIA", "Liepa sabiedrība ar ierobežotu atbildību"],
  ["Tamm OÜ", "Tamm Osaühing"],
  ["AS Tallinna Vesi", "Tallinna Vesi AS"],
  ["ООО «Ромашка»", 'ООО "Ромашка"', "Ромашка, ООО", "Общество с ограниченной ответственностью «Ромашка»"],
  ["ТОВ «Зоря»", "Зоря ТОВ"],
  ["株式会社アクメ", "アクメ株式会社", "㈱アクメ", "アクメ 株式会社"],
  ["주식회사 한빛", "한빛(주)"],
  ["Yılmaz A.Ş.", "Yılmaz Anonim Şirketi"],
  ["Yılmaz Ltd. Şti.", "Yılmaz Limited Şirketi"],
  ["Acme Co., Ltd.", "Acme Company Limited", "ACME CO LTD"],
  ["O’Neill Ltd", "O'Neill Limited", "O‘NEILL LTD."]
]

describe("the names of companies", () => {
  it("are one whatever their legal form is written like, and another with another form", () => {
    const all = SAME.flat()
    for (const names of SAME)
      for (const name of all)
        for (const other of names) {
          const isOne = names.includes(name)
          assert.strictEqual(namesBuyer(name, { name: other }), isOne, `${name} / ${other}`)
          assert.strictEqual(isSameParty({ name }, { name: other }), isOne, `${name} / ${other}`)
        }
  })

  it("keep a company out by its name alone, and let none in by it", () => {
    for (const [entry, name] of [
      ["Kowalski", "Kowalski Sp. z o.o."],
      ["Dvořák", "Dvořák, spol. s r.o."],
      ["Muster", "Muster GmbH & Co. KG"],
      ["Nielsen", "Nielsen A/S"],
      ["Baltija", 'UAB "Baltija"'],
      ["Ромашка", "ООО «Ромашка»"],
      ["アクメ", "株式会社アクメ"]
    ] as const) {
      assert.isTrue(mayNameBuyer(entry, { name }), entry)
      assert.isFalse(namesBuyer(entry, { name }), entry)
    }
    // A partner's name is not a legal form, and a legal form alone is not a name.
    assert.isFalse(mayNameBuyer("Smith", { name: "Smith & Jones Ltd" }))
    assert.isFalse(mayNameBuyer("Smith", { name: "Smith & Co Ltd" }))
    assert.isFalse(mayNameBuyer("GmbH", { name: "Muster GmbH" }))
    assert.isFalse(namesBuyer("Muster AG", { name: "Muster GmbH" }))
  })
})

describe("the numbers of registers", () => {
  it("are one however they are grouped, and without the zeros that a spreadsheet takes away", () => {
    for (const [a, b] of [
      ["HRB 12345", "hrb12345"],
      ["GB 123 4567 89", "GB123456789"],
      ["01234567", "1234567"],
      ["123.456.789", "123-456-789"]
    ] as const) {
      assert.isTrue(isSameNumber(a, b), a)
      assert.isTrue(namesBuyer(a, { name: "Acme", regnum: b }), a)
      assert.isTrue(namesBuyer(a, { name: "Acme", vat: b }), a)
      assert.isTrue(isSameParty({ name: "Acme", regnum: a }, { name: "Acme", regnum: b }), a)
    }
    for (const [a, b] of [
      ["12345", "12346"],
      ["1234", "12340"],
      ["---", "..."],
      ["0", "00 1"]
    ] as const)
      assert.isFalse(isSameNumber(a, b), a)
    // An id of the source is what it is.
    assert.isFalse(namesBuyer("042", { name: "Acme", id: "42" }))
  })
})
