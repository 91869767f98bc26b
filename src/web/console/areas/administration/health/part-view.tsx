import { Link } from '@tanstack/react-router'
import { type Formats, useFormats } from '../../../i18n/format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import type { Part, PartState, Party } from './health.ts'
import { useHealthTexts } from './texts.ts'
import '../rows.css'
import './health.css'

type Texts = ReturnType<typeof useHealthTexts>

const tones: Readonly<Record<PartState, Tone>> = { up: 'good', degraded: 'warn', down: 'bad', unknown: 'neutral' }

/** A part that does not work as it should: what the service says, and what to do. */
export function Finding({ part: { name, state, reason } }: { readonly part: Part }) {
  const texts = useHealthTexts()
  return (
    <section className={`admin-finding ui-tone-${tones[state]}`} aria-label={titleOf(name, texts)}>
      <header>
        <h3>{titleOf(name, texts)}</h3>
        <Badge tone={tones[state]} hasDot>
          {texts[state]}
        </Badge>
      </header>
      {reason !== null && <p lang="en">{reason}</p>}
      <div className="admin-finding-advice">
        <p>
          <span className="admin-strong">{texts.todo}: </span>
          {adviceOf(name, texts)}
        </p>
        <WhereToGo name={name} section={sectionsOfParts[name]} />
      </div>
    </section>
  )
}

function WhereToGo({ name, section }: Pick<Part, 'name'> & { readonly section: string | undefined }) {
  const texts = useHealthTexts()
  if (name === 'bus') return <Link to="/administration/dead-letters">{texts.openDeadLetters}</Link>
  if (name === 'liveEvents') return <Link to="/administration/webhooks">{texts.openWebhooks}</Link>
  if (name === 'upstreams') return <Link to="/administration/configuration">{texts.openConfiguration}</Link>
  return section === undefined ? null : (
    <Link to="/administration/configuration/$section" params={{ section }}>
      {texts.openSection}
    </Link>
  )
}

/** The section of the configuration that decides about a part of the service. */
const sectionsOfParts: Readonly<Record<string, string>> = { calls: 'telephony', recordings: 'ai' }
/** The same of a party. `recordings`: the server that has the files of the provider. */
const sectionsOfParties: Readonly<Record<string, string>> = {
  telephony: 'telephony',
  outbound: 'telephony',
  recordings: 'telephony',
  'language-model': 'ai',
  'alert-receiver': 'alerts',
}

/** A provider or a model: its state, and since when. */
export function PartyLine({ party: { party, works, since } }: { readonly party: Party }) {
  const texts = useHealthTexts()
  const { time } = useFormats()
  const tone = works === null ? 'neutral' : works ? 'good' : 'bad'
  const when = since === null ? '' : time(new Date(since).toISOString())
  return (
    <li className="admin-part">
      <span className={`ui-tone-${tone} ui-dot`} aria-hidden="true" />
      <span className="admin-part-name">{textOf(texts, `party_${party}`) ?? party}</span>
      <span className="admin-minor numbers">
        {works === null ? texts.notCalled : works ? texts.worksSince(when) : texts.failsSince(when)}
      </span>
      <span className="admin-part-time">{works === false && <WhereToGo name={party} section={sectionsOfParties[party]} />}</span>
    </li>
  )
}

/** A part that works, in a line. */
export function WorkingPart({ part }: { readonly part: Part }) {
  const texts = useHealthTexts()
  const formats = useFormats()
  const { name, state, checkMs } = part
  const facts = factsOf(part, texts, formats)
  return (
    <li className="admin-part">
      <span className={`ui-tone-${tones[state]} ui-dot`} aria-hidden="true" />
      <span className="admin-part-name">{titleOf(name, texts)}</span>
      <span className="admin-minor numbers">{facts.join(' · ')}</span>
      <span className="admin-minor numbers admin-part-time">
        {state === 'unknown' ? texts.unknown : checkMs === null ? '' : texts.milliseconds(formats.number(checkMs))}
      </span>
    </li>
  )
}

function titleOf(name: string, texts: Texts): string {
  return textOf(texts, name === 'recordings' ? 'recordingsPart' : name) ?? name
}

function adviceOf(name: string, texts: Texts): string {
  return textOf(texts, `${name}_advice`) ?? texts.other_advice
}

function textOf(texts: Texts, name: string): string | null {
  const found = Object.entries(texts).find(([known]) => known === name)?.[1]
  return typeof found === 'string' ? found : null
}

const gigabyte = 1_073_741_824

function factsOf({ name, detail }: Part, texts: Texts, { number }: Formats): readonly string[] {
  const of = (key: string): number => (typeof detail[key] === 'number' ? detail[key] : 0)
  if (name === 'disk') return [texts.free(`${number(Math.round(of('freeBytes') / gigabyte))} GB`)]
  if (name === 'bus') {
    const parked = of('parked')
    return [texts.waiting(of('events'), number(of('events'))), ...(parked > 0 ? [texts.parked(number(parked))] : [])]
  }
  return name === 'recordings' ? [texts.recordings(of('waiting'), number(of('waiting')))] : []
}
