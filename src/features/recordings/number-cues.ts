/** What people say between the parts of a number. */
export const fillers = 'and|then|uh|um|yes|ok|okay|haan|ji|hai|aur|phir|और|फिर|हाँ|हां|जी|है'
const counted = 'token|room|bed|ward|floor|queue|serial|टोकन|कमरा|कमरे|बेड|वार्ड'
/** What a clinic has of these: a mobile van, a cell count, card timings. */
const things = 'counts?|timings?|vans?|hours|balance|limit'
const cue = new RegExp(
  String.raw`(?:phone|landline|mobile|\bcell\b|contact|whatsapp|card|account|a+dha+r|reference|call \p{L}{0,5} ?on|(?<!(?:${counted})\s)(?:number(?! of)|नंबर|नम्बर)|(?:फ़?|\u095e)ोन|मोबाइल|मोबाईल|लैंडलाइन|कार्ड|आधार|खाता|संपर्क|संदर्भ)(?:(?!\b(?:${things})\b)\D){0,25}$`,
  'iu',
)
const readings = String.raw`bp|blood pressures?|pressures?|pulses?|(?:heart|respiratory) rates?|[hpr]r|urea|scores?|sugars?|glucose|insulin|platelets?|[wr]bc|tlc|hcg|tsh|hba1c|hb|spo2|oxygen|saturations?|creatinine|potassium|sodium|pain|weights?|temperatures?|doses?|rooms?|beds?|tokens?|timings?|counts?|बीपी|शुगर|नब्ज़|प्लेटलेट|ऑक्सीजन|वज़न|धड़कन|दर्द`
const linked = String.raw`is|was|were|are|of|at|the|scores?|values?|readings?|levels?|timings?|counts?|रही|रहे|रहा|था|थी|है`
const measured = new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${readings})(?:[\s:,.–-]{1,2}(?:${linked}))*[\s:,.–-]{1,3}$`, 'iu')
const cueChars = 60

const recalled = /(?<![\p{L}\p{M}])(?:it|they|these|those) (?:was|were)\s$/iu

/** Whether the words right before numbers tell what was, as of readings of a night. */
export function isRecalled(text: string, from: number): boolean {
  return recalled.test(text.slice(Math.max(0, from - cueChars), from))
}

/** Whether the words before a number say whose it is. */
export function isNamed(text: string, from: number): boolean {
  return cue.test(text.slice(Math.max(0, from - cueChars), from))
}

/** Whether the words right before numbers say what they measure or count. */
export function isMeasured(text: string, from: number): boolean {
  return measured.test(text.slice(Math.max(0, from - cueChars), from))
}
