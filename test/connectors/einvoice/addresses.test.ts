/** The buyer's postal address, which a handover to collections needs: each format of invoices states it, in elements of its own. */
import { expect, it } from "vitest"
import * as Xml from "./Xml.ts"
import { factsIn } from "./Lines.ts"

/** With these elements in the last country's place, or before it. */
const last = (xml: string, from: RegExp, to: string): string => {
  const all = [...xml.matchAll(new RegExp(from, "g"))]
  const found = all.at(-1)!
  return `${xml.slice(0, found.index)}${to}${xml.slice(found.index + found[0].length)}`
}

const CASES: ReadonlyArray<readonly [what: string, xml: string, address: string | undefined]> = [
  [
    "UBL",
    last(
      Xml.ubl({}),
      /<cac:PostalAddress>/,
      "<cac:PostalAddress><cbc:StreetName>12 rue des Lilas</cbc:StreetName><cbc:AdditionalStreetName>Bât. B</cbc:AdditionalStreetName><cbc:CityName>Lyon</cbc:CityName><cbc:PostalZone>69001</cbc:PostalZone><cac:AddressLine><cbc:Line>3e étage</cbc:Line></cac:AddressLine>"
    ),
    "12 rue des Lilas, Bât. B, 3e étage, 69001 Lyon"
  ],
  [
    "OIOUBL",
    last(
      Xml.ubl({}),
      /<cac:PostalAddress>/,
      "<cac:PostalAddress><cbc:StreetName>Vesterbrogade</cbc:StreetName><cbc:BuildingNumber>7</cbc:BuildingNumber><cbc:CityName>København</cbc:CityName><cbc:PostalZone>1620</cbc:PostalZone>"
    ),
    "Vesterbrogade 7, 1620 København"
  ],
  [
    "CII",
    last(
      Xml.cii({}),
      /<ram:PostalTradeAddress>/,
      "<ram:PostalTradeAddress><ram:PostcodeCode>69001</ram:PostcodeCode><ram:LineOne>12 rue\n  des Lilas</ram:LineOne><ram:LineTwo>Bât. B</ram:LineTwo><ram:CityName>Lyon</ram:CityName>"
    ),
    "12 rue des Lilas, Bât. B, 69001 Lyon"
  ],
  [
    "FatturaPA",
    last(
      Xml.fattura({}),
      /<Sede>/,
      "<Sede><Indirizzo>Via Torino</Indirizzo><NumeroCivico>38</NumeroCivico><CAP>00145</CAP><Comune>Roma</Comune><Provincia>RM</Provincia>"
    ),
    "Via Torino 38, 00145 Roma"
  ],
  [
    "KSeF",
    last(Xml.ksef({}), /<\/Adres>/, "<AdresL1>ul. Lipowa 1</AdresL1><AdresL2>00-999 Warszawa</AdresL2></Adres>"),
    "ul. Lipowa 1, 00-999 Warszawa"
  ],
  [
    "Facturae",
    last(
      Xml.facturae({}),
      /<AddressInSpain>/,
      "<AddressInSpain><Address>Calle Mayor 5</Address><PostCode>28013</PostCode><Town>Madrid</Town><Province>Madrid</Province>"
    ),
    "Calle Mayor 5, 28013 Madrid"
  ],
  [
    "ebInterface",
    Xml.ebInterface().replaceAll("<Address>", "<Address><Street>Ring 9</Street><Town>Linz</Town><ZIP>4020</ZIP>"),
    "Ring 9, 4020 Linz"
  ],
  ["UBL, none", Xml.ubl({}), undefined]
]

it.each(CASES)("%s", (_, xml, address) => {
  expect(factsIn(xml).buyer.address).toBe(address)
})
