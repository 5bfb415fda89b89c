/**
 * Legal forms of companies, each as registers abbreviate it and as it is written out, without accents. Both are listed, by country,
 * in ISO 20275 (Entity Legal Forms). `A/S` and `S.p.A.` are one word here, as names are compared without points.
 */
const AT_THE_END = `
ltd: limited | private limited | pvt ltd | pvt limited | pte ltd | pte limited | limited company
plc: public limited company
llp: limited liability partnership
llc: limited liability company
lp: limited partnership
inc: incorporated
corp: corporation
co: company
cic: community interest company
dac: designated activity company
pty: proprietary
bhd: berhad
sdn: sendirian
gmbh: gesellschaft mit beschrankter haftung | gesellschaft mbh | ges mbh | gesmbh
gmbhcokg: gmbh & co kg | gmbh & cokg | gmbh & co kommanditgesellschaft
ugcokg: ug & co kg | ug haftungsbeschrankt & co kg
agcokg: ag & co kg
ug: ug haftungsbeschrankt | unternehmergesellschaft haftungsbeschrankt | unternehmergesellschaft
ag: aktiengesellschaft
kg: kommanditgesellschaft
kgaa: kommanditgesellschaft auf aktien
ohg: offene handelsgesellschaft
ek: e k | ekfm | ekfr | eingetragener kaufmann | eingetragene kauffrau
ev: e v | eingetragener verein
eg: e g | eingetragene genossenschaft
gbr: gesellschaft burgerlichen rechts
se: societas europaea
sarl: sa rl | s a r l | s arl | societe a responsabilite limitee
sas: societe par actions simplifiee | societa in accomandita semplice
sasu: societe par actions simplifiee unipersonnelle
eurl: entreprise unipersonnelle a responsabilite limitee
sa: s a | societe anonyme | sociedad anonima | sociedade anonima | spolka akcyjna | societate pe actiuni
sca: societe en commandite par actions
sci: societe civile immobiliere
snc: societe en nom collectif | societa in nome collettivo
sl: s l | sociedad limitada | sociedad de responsabilidad limitada
slu: sociedad limitada unipersonal
sadecv: sa de cv | sociedad anonima de capital variable
sderldecv: s de rl de cv | sociedad de responsabilidad limitada de capital variable
lda: ltda | limitada
srl: s r l | societa a responsabilita limitata | societate cu raspundere limitata
srls: societa a responsabilita limitata semplificata
spa: s p a | societa per azioni
sagl: societa a garanzia limitata
bv: b v | besloten vennootschap
bvba: besloten vennootschap met beperkte aansprakelijkheid
nv: n v | naamloze vennootschap
vof: v o f | vennootschap onder firma
ab: ab publ | aktiebolag
hb: handelsbolag
kb: kommanditbolag
as: a s | aksjeselskap | aktieselskab | akciova spolecnost | akciova spolocnost | aktsiaselts | anonim sirketi | anonim sti
asa: allmennaksjeselskap
aps: anpartsselskab
ks: kommanditselskab | komanditni spolecnost
oy: osakeyhtio
oyj: julkinen osakeyhtio
ehf: einkahlutafelag
hf: hlutafelag
spzoo: sp z oo | spz oo | sp zoo | sp z o o | spolka z oo | spolka z ograniczona odpowiedzialnoscia
spk: sp k | spolka komandytowa
spj: sp j | spolka jawna
spzoospk: sp z oo sp k | spz oo sp k | sp z oo spk | spz oo spk
sro: s r o | spol s ro | spol sro | spolecnost s rucenim omezenym | spolocnost s rucenim obmedzenym
kft: korlatolt felelossegu tarsasag
zrt: zartkoruen mukodo reszvenytarsasag
nyrt: nyilvanosan mukodo reszvenytarsasag
bt: beteti tarsasag
doo: d o o | drustvo s ogranicenom odgovornoscu | druzba z omejeno odgovornostjo
dd: d d | dionicko drustvo | delniska druzba
ood: druzhestvo s ogranichena otgovornost
eood:
ead:
оод: дружество с ограничена отговорност
еоод:
uab: uzdaroji akcine bendrove
sia: sabiedriba ar ierobezotu atbildibu
ou: osauhing
ltdsti: ltd sti | limited sirketi | limited sti
ооо: общество с ограниченной ответственностью
пао: публичное акционерное общество
зао: закрытое акционерное общество
ао: акционерное общество
тов: товариство з обмеженою відповідальністю
ае: а е | α ε | αε | ανωνυμη εταιρεια
επε: ε π ε | εταιρεια περιορισμενης ευθυνης
ике: ι κ ε | ικε | ιδιωτικη κεφαλαιουχικη εταιρεια
בעמ: בע מ
tbk:
株式会社: 株 | kabushiki kaisha | kk
有限会社: 有
合同会社: 合同
有限公司: 有限责任公司
股份有限公司:
주식회사: 주
`

/** Forms that are written before the name in their countries: `ООО «Ромашка»`, `UAB Baltija`, `PT Maju Tbk`. */
const BEFORE = new Set("uab ab sia as pt ооо пао зао ао тов 株式会社 有限会社 合同会社 주식회사".split(" "))

/** Forms in scripts without spaces: they stand beside the name. */
const UNSPACED = /(株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限公司|주식회사)/gu

const LETTERS: Readonly<Record<string, string>> = { ł: "l", ø: "o", đ: "d", ı: "i", æ: "ae" }

/** Without accents. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[łøđıæ]/g, (letter) => LETTERS[letter] ?? "")

const SHORT: ReadonlyMap<string, string> = new Map(
  AT_THE_END.trim()
    .split("\n")
    .flatMap((line) => {
      const [short = "", long = ""] = line.split(":")
      const written = long.split("|").map((one) => one.trim())
      return [short, ...written.filter((one) => one !== "")].map((one) => [plain(one), short] as const)
    })
)

const MOST_WORDS = Math.max(...[...SHORT.keys()].map((one) => one.split(" ").length))

export const isLegalForm = (word: string): boolean => SHORT.get(word) === word

/** A name apart from its legal forms, which are short, in the order in which they are written. */
export interface NameParts {
  readonly bare: string
  readonly forms: string
}

/** @param folded in small letters, without points, words separated by one space */
export const partsOfName = (folded: string): NameParts => {
  const words = folded
    .replace(UNSPACED, " $1 ")
    .split(" ")
    .filter((word) => word !== "")
  const forms: Array<string> = []
  const atEnd = (): boolean => {
    for (let n = Math.min(MOST_WORDS, words.length - 1); n > 0; n--) {
      const short = SHORT.get(plain(words.slice(-n).join(" ")))
      if (short === undefined) continue
      words.splice(-n)
      forms.unshift(short)
      return true
    }
    return false
  }
  const atStart = (): boolean => {
    for (let n = Math.min(MOST_WORDS, words.length - 1); n > 0; n--) {
      const text = plain(words.slice(0, n).join(" "))
      const short = SHORT.get(text) ?? text
      if (!BEFORE.has(short)) continue
      words.splice(0, n)
      forms.push(short)
      return true
    }
    return false
  }
  while (atEnd());
  if (forms.length === 0 || isTbk(forms)) atStart()
  return { bare: words.join(" "), forms: forms.join(" ") }
}

const isTbk = (forms: ReadonlyArray<string>): boolean => forms.length === 1 && forms[0] === "tbk"
