import { fillers, isMeasured, isNamed } from './number-cues.ts'

const units =
  'zero|oh|one|two|three|four|five|six|seven|eight|nine|shunya|ek|do|teen|chaar|char|paanch|panch|chhah|chhe|saat|aath|nau|शून्य|एक|दो|तीन|चार|पाँच|पांच|छह|छः|छे|सात|आठ|नौ|ज़ीरो|\u095bीरो|जीरो|वन|टू|थ्री|फोर|फ़ोर|फाइव|सिक्स|सेवन|एट|नाइन'
const tens = 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety'
const teens = 'ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen'
const digitWord = String.raw`(?<![\p{L}\p{M}\p{Nd}])(?:(?:double|triple|डबल|ट्रिपल)\s)?(?:${units}|${tens}|${teens}|\p{Nd})(?![\p{L}\p{M}\p{Nd}])`
const gap = String.raw`(?:[\s.,।-]{1,3}|[\s.,;:…।-]{1,3}(?:(?:${fillers})[\s,…।]{1,3}){1,2})`
/** Read out digit by digit, or in pairs; with "triple", three words may be seven digits. */
const spoken = new RegExp(String.raw`${digitWord}(?:${gap}${digitWord}){2,}`, 'giu')
const pair = new RegExp(
  String.raw`(?<![\p{L}\p{M}])(?:(?:${tens})(?![\s-](?:one|two|three|four|five|six|seven|eight|nine)(?!\p{L}))|${teens})(?![\p{L}\p{M}])`,
  'giu',
)
const inPairs = new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${tens}|${teens})(?![\p{L}\p{M}])`, 'iu')
const repeated = /double|triple|डबल|ट्रिपल/iu
const triples = /triple|ट्रिपल/giu
/** In the morning, at noon, at night; and decimals. */
const readings = /((?<![\p{Nd}-])\p{Nd}(?:-\p{Nd}){2,3}(?![\p{Nd}-])|(?<![\p{Nd}.])\p{Nd}\.\p{Nd}(?![\p{Nd}.]))/u
const dose = /^[0-2०-२]$/u
const word = new RegExp(String.raw`(?<![\p{L}\p{M}\p{Nd}])(?!(?:${fillers})(?![\p{L}\p{M}]))[\p{L}\p{M}\p{Nd}]+`, 'giu')

/** Hides numbers whose digits are read out, in words or figures. Doses, decimals, lists of readings and short lists stay. */
export function maskSpokenDigits(text: string): string {
  return text.replaceAll(spoken, (found: string, from: number) => {
    const named = isNamed(text, from)
    if (!named && isMeasured(text, from)) return found
    return found
      .split(named ? /(?!)/u : readings)
      .map((part, index) =>
        index % 2 === 1 || isDoses(part) || lengthOf(part) < shortestOf(part, named) ? part : part.replaceAll(word, '•'),
      )
      .join('')
  })
}

function isDoses(part: string): boolean {
  return (part.match(word) ?? []).every((figure) => dose.test(figure))
}

/** Of a number. Nobody says "double" of a reading; what is counted may be tens. */
function shortestOf(part: string, named: boolean): number {
  if (named || repeated.test(part)) return 7
  return inPairs.test(part) ? 10 : 8
}

function lengthOf(part: string): number {
  return [word, pair, triples].reduce((sum, counted) => sum + (part.match(counted)?.length ?? 0), 0)
}
