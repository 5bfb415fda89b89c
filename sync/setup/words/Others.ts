/**
 * Words of exports in languages for which Daybook has few: Swedish, Norwegian, Danish, Finnish, Estonian, Polish, Czech,
 * Slovak, Slovenian, Croatian, Hungarian, Romanian, Portuguese, Greek and Turkish. What they lack is asked about.
 */
import type { InvoiceState, Role } from "./Words.ts"

export const OTHER_HEADINGS: Partial<Readonly<Record<Role, string>>> = {
  invoice:
    "Fakturanummer|Fakturanr|Faktura nr|Fakturanr.|Faktura|Laskun numero|Laskunumero|Numer faktury|Nr faktury|Číslo faktury|Faktura číslo|Számla sorszáma|Číslo|Številka računa|Številka|Broj računa|Račun|Arve number|Arve nr|Număr factură|Nr. factură|Factură nr|Număr|Αριθμός|Numer|Número da fatura|Nº fatura|Fatura|Αριθμός τιμολογίου|Fatura no|Fatura numarası",
  document:
    "Dokumentnr|Bilagsnr|Bilag|Variabilní symbol|Číslo dokladu|Numer dokumentu|Bizonylatszám|Documento|Παραστατικό|Αρ. παραστατικού|Belge no",
  party:
    "Avsändare|Betalare|Kund|Kundnamn|Kunde|Kundenavn|Asiakas|Asiakkaan nimi|Klient|Nazwa klienta|Kontrahent|Nabywca|Odběratel|Zákazník|Vevő|Vevő neve|Cliente|Nome do cliente|Namn|Navn|Nadawca/Odbiorca|Dane kontrahenta|Název protiúčtu|Ellenoldali név|Partner neve|Partner|Πελάτης|Επωνυμία|Müşteri|Müşteri adı|Cari adı|Odberateľ|Stranka|Kupec|Kupac|Klient|Ostja|Client",
  party_id: "Kundnummer|Kundnr|Kundenr|Kundenummer|Asiakasnumero|Numer klienta|Číslo zákazníka",
  issued:
    "Fakturadatum|Fakturadato|Laskun päivä|Laskupäivä|Data wystawienia|Datum vystavení|Vystaveno|Kiállítás dátuma|Számla kelte|Data de emissão|Kelt|Emissão|Data da emissão|Ημερομηνία έκδοσης|Fatura tarihi|Düzenleme tarihi|Dátum vystavenia|Datum izdaje|Datum računa|Datum izdavanja|Arve kuupäev|Data emiterii|Data facturii",
  date: "Bokföringsdag|Bokföringsdatum|Transaktionsdag|Valutadag|Datum|Dato|Bogføringsdato|Bokført dato|Rentedato|Päivämäärä|Kirjauspäivä|Data operacji|Data waluty|Data księgowania|Data transakcji|Datum zaúčtování|Datum provedení|Könyvelés dátuma|Értéknap|Tranzakció dátuma|Data|Data movimento|Data mov.|Data lançamento|Data de lançamento|Data do lançamento|Ημερομηνία|Tarih|İşlem tarihi|Dátum|Kuupäev",
  paid_on:
    "Betaldatum|Betald den|Betalingsdato|Betalt dato|Betalt den|Maksupäivä|Maksettu|Data zapłaty|Zapłacono dnia|Datum úhrady|Uhrazeno dne|Fizetés dátuma|Data de pagamento|Data do recebimento|Data de recebimento|Ημερομηνία πληρωμής|Ödeme tarihi|Tahsilat tarihi",
  due: "Förfallodatum|Förfaller|Forfaldsdato|Forfallsdato|Forfall|Eräpäivä|Termin płatności|Splatnost|Datum splatnosti|Fizetési határidő|Vencimento|Data de vencimento|Λήξη|Ημερομηνία λήξης|Vade|Vade tarihi|Son ödeme tarihi|Dátum splatnosti|Zapadlost|Rok plačila|Datum zapadlosti|Dospijeće|Datum dospijeća|Maksetähtaeg|Data scadenței|Scadența",
  net: "Exkl. moms|Summa exkl. moms|Netto|Beløb ekskl. moms|Beløp eks. mva|Veroton|Wartość netto|Kwota netto|Razem netto|Bez DPH|Základ daně|Nettó|Nettó összeg|Valor líquido|Καθαρή αξία|Ara toplam|Matrah|Suma bez DPH|Brez DDV|Osnovica|Bez PDV-a|Käibemaksuta|Valoare fără TVA|Fără TVA|Total sem IVA|Sem IVA|Celkem bez DPH",
  tax: "Wartość VAT|Moms|Momsbelopp|Momsbeløb|MVA|ALV|VAT|Kwota VAT|Razem VAT|Suma VAT|DPH|ÁFA|Áfa összege|IVA|ΦΠΑ|KDV|KDV tutarı|DDV|PDV|Käibemaks|Celkem DPH",
  gross:
    "Inkl. moms|Summa inkl. moms|Totalt|Totalbelopp|Att betala|Brutto|Beløb inkl. moms|Total inkl. moms|Beløp inkl. mva|Verollinen|Yhteensä|Wartość brutto|Kwota brutto|Do zapłaty|Celkem|Celkem s DPH|K úhradě|Bruttó|Bruttó összeg|Valor total|Total|Σύνολο|Συνολική αξία|Toplam|Genel toplam|Toplam tutar|Suma s DPH|Spolu|Skupaj|Znesek z DDV|Ukupno|Sveukupno|Kokku|Summa käibemaksuga|Total cu TVA",
  amount:
    "Belopp|Beløb|Beløp|Summa|Kwota|Kwota operacji|Kwota transakcji|Kwota transakcji (waluta rachunku)|Částka|Zaúčtovaná částka|Objem|Összeg|Tranzakció összege|Valor|Importância|Montante|Ποσό|Tutar|Suma|Znesek|Iznos",
  paid: "Betalt belopp|Betalt beløb|Betalt beløp|Inbetalt|Innbetalt|Indbetalt|Zapłacono|Uhrazeno|Fizetve|Pago|Valor recebido|Ödenen|Tahsil edilen|Uhradené|Plačano|Plaćeno|Tasutud|Încasat|Achitat|Maksettu summa",
  balance:
    "Saldo|Restbelopp|Kvar att betala|Restbeløb|Restbeløp|Utestående|Udestående|Rest|Saldo po operacji|Saldo po transakcji|Pozostało do zapłaty|Zůstatek|Zbývá uhradit|Egyenleg|Hátralék|Saldo contabilístico|Em dívida|Υπόλοιπο|Bakiye|Kalan|Avoinna|Avoin|Pendente|Zostáva uhradiť|Odprto|Neplačano|Otvoreno|Preostalo|Tasumata|Rest de plată|Sold|Neuhradené",
  paid_in: "Insättning|Indsat|Inn|Inn på konto|Wpływy|Uznania|Příjem|Jóváírás|Crédito|Πίστωση|Alacak",
  paid_out: "Uttag|Hævet|Ut|Ut fra konto|Wydatki|Obciążenia|Výdaj|Débito|Χρέωση|Borç",
  currency:
    "Valuta|Valutta|Waluta|Měna|Devizanem|Tranzakció devizaneme|Měna účtu|Pénznem|Moeda|Valuuttakoodi|Νόμισμα|Para birimi|Döviz|Valuutta|Mena|Valuuta|Monedă",
  status:
    "Status|Tila|Stan płatności|Status płatności|Stan|Stav|Állapot|Estado|Betalningsstatus|Situação|Κατάσταση|Durum",
  type: "Typ|Tyyppi|Rodzaj|Druh|Típus|Dokumenttyp",
  text: "KID|KID-nummer|OCR|OCR-nummer|OCR-referens|Viite|Viitenumero|FIK|Rubrik|Text|Tekst|Meddelande|Meddelelse|Beskrivning|Beskrivelse|Forklaring|Viesti|Selite|Tytuł|Tytułem|Opis|Opis operacji|Opis transakcji|Zpráva pro příjemce|Zpráva|Poznámka|Közlemény|Megjegyzés|Descrição|Descritivo|label|Histórico|Αιτιολογία|Περιγραφή|Açıklama|İşlem açıklaması"
}

/** What rows are, by the words for it. */
export const OTHER_TYPES: Readonly<Record<"invoice" | "credit_note" | "left_out", string>> = {
  invoice: "faktura|lasku|számla|fatura|faktura vat|faktura sprzedaży",
  credit_note: "kreditnota|kreditfaktura|hyvityslasku|faktura korygująca|dobropis|sztornó számla|helyesbítő számla",
  left_out: "tilbud|offert|tarjous|oferta|nabídka|árajánlat|orçamento"
}

export const OTHER_STATES: Readonly<Record<InvoiceState, string>> = {
  draft: "utkast|kladde|luonnos|szkic|robocza|koncept|návrh|piszkozat|rascunho|taslak|πρόχειρο",
  open: "obetald|skickad|förfallen|delbetald|ubetalt|sendt|forfalden|forfalt|avoin|lähetetty|erääntynyt|niezapłacona|nieopłacona|wysłana|po terminie|wystawiona|neuhrazena|neuhrazeno|odeslána|po splatnosti|fizetetlen|kifizetetlen|lejárt|pendente|por pagar|vencida|emitida|em aberto|atrasado|a receber|ödenmedi|açık|ανεξόφλητο|overforfalden|przeterminowana|częściowo opłacona|částečně uhrazena|delvist betalt|delvis betalt|részben kifizetett|parcialmente paga",
  paid: "zapłacono|betald|slutbetald|betalt|maksettu|zapłacona|opłacona|rozliczona|uhrazena|uhrazeno|zaplaceno|zaplacena|fizetve|kifizetett|paga|liquidada|recebido|recebida|ödendi|tahsil edildi|εξοφλημένο",
  void: "makulerad|annullerad|krediterad|annulleret|krediteret|kreditert|annullert|mitätöity|hyvitetty|anulowana|stornována|zrušena|sztornó|érvénytelen|anulada|cancelada|cancelado|iptal|iptal edildi|ακυρωμένο"
}
