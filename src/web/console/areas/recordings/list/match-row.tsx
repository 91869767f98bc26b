import { Link } from '@tanstack/react-router'
import { useFormats } from '../../../i18n/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { spacedNumber } from '../../../ui/phone-number.tsx'
import { clockText } from '../../../ui/timer.tsx'
import { feelingTone, outcomeTone, useNames } from '../names.ts'
import type { Match, Snippet } from './matches.ts'
import { useListTexts } from './texts.ts'

type MatchRowProps = { readonly match: Match; readonly q: string | undefined }

/** A call that was found: the whole row opens it, a sentence opens it there. */
export function MatchRow({ match, q }: MatchRowProps) {
  const texts = useListTexts()
  const { time } = useFormats()
  const { callId, at, analysis, details, snippets, matches } = match
  const rest = texts.mentions(matches, snippets.length)
  return (
    <li className="rec-row">
      <div className="rec-row-main">
        <p className="rec-row-who">
          <Link to="/recordings/$callId" params={{ callId }} search={q === undefined ? {} : { q }} className="rec-row-link">
            {details?.customer ?? numberOf(details?.phoneNumber) ?? texts.call}
          </Link>
          {details?.customer !== null && <span className="rec-quiet numbers">{numberOf(details?.phoneNumber)}</span>}
        </p>
        <p className="rec-row-text">{analysis?.summary ?? texts.noSummary}</p>
      </div>
      <Verdicts match={match} />
      <p className="rec-row-agent">{details?.agentName ?? <span className="rec-quiet">{texts.nobody}</span>}</p>
      <p className="rec-row-when numbers">
        <time dateTime={at}>{time(at)}</time>
        {analysis && <span className="rec-quiet">{clockText(Math.round(analysis.duration))}</span>}
      </p>
      {snippets.length > 0 && (
        <ul className="rec-snippets">
          {snippets.map((snippet) => (
            <SnippetLine key={snippet.id} callId={callId} q={q} snippet={snippet} />
          ))}
          {rest !== '' && <li className="rec-quiet">{rest}</li>}
        </ul>
      )}
    </li>
  )
}

function Verdicts({ match: { outcome, sentiment, analysis } }: { readonly match: Match }) {
  const texts = useListTexts()
  const names = useNames()
  const broken = analysis?.insights?.compliance.filter(({ verdict }) => verdict === 'BROKEN').length ?? 0
  return (
    <p className="rec-row-verdicts">
      {outcome !== null && <Badge tone={outcomeTone[outcome]}>{names[outcome]}</Badge>}
      {sentiment !== null && sentiment !== 'NEUTRAL' && (
        <Badge tone={feelingTone[sentiment]} hasDot>
          {names[sentiment]}
        </Badge>
      )}
      {broken > 0 && <Badge tone="bad">{texts.broken(broken)}</Badge>}
    </p>
  )
}

type SnippetLineProps = { readonly callId: string; readonly q: string | undefined; readonly snippet: Snippet }

function SnippetLine({ callId, q, snippet: { role, start, text, highlights } }: SnippetLineProps) {
  const texts = useListTexts()
  const names = useNames()
  const at = clockText(Math.floor(start))
  return (
    <li>
      <Link
        to="/recordings/$callId"
        params={{ callId }}
        search={{ ...(q !== undefined && { q }), t: start }}
        className="rec-snippet"
        data-voice={role}
        title={texts.playFrom(at)}
      >
        <span className="rec-time numbers">{at}</span>
        <span>
          <b>{names[role]}</b> {marked(text, highlights)}
        </span>
      </Link>
    </li>
  )
}

/** The text with its found parts as `mark` elements. */
function marked(text: string, highlights: Snippet['highlights']) {
  const ends = [0, ...highlights.map(({ to }) => to)]
  return [
    ...highlights.flatMap(({ from, to }, index) => [text.slice(ends[index], from), <mark key={from}>{text.slice(from, to)}</mark>]),
    text.slice(ends.at(-1)),
  ]
}

export function numberOf(phoneNumber: string | null | undefined): string | null {
  return phoneNumber === null || phoneNumber === undefined ? null : spacedNumber(phoneNumber)
}
