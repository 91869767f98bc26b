import { CalendarCheck, CalendarPlus, ListTodo, PhoneCall, Sparkles } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import type { Lead, ScreenPop } from '../../../phone/caller.ts'
import type { Call } from '../../../phone/calls.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useNow } from '../../../ui/now.ts'
import { PhoneNumber, shownNumber } from '../../../ui/phone-number.tsx'
import { inWords } from '../../../ui/words.ts'
import { PastCalls } from '../past-calls.tsx'
import { useEnrichment } from './screen-pop.ts'
import { useBookingTexts } from '../booking/texts.ts'
import { useDeskTexts } from './texts.ts'

const BookVisit = lazy(() => import('../booking/book-visit.tsx').then(({ BookVisit }) => ({ default: BookVisit })))

type CallerProps = {
  readonly call: Call
  readonly pop: ScreenPop
  /** Whom the call is about. Null: nobody is known, or the agent has not chosen yet. */
  readonly lead: Lead | null
  readonly onChoose: (leadId: string) => void
  /** Something about the caller changed. */
  readonly onChanged: () => void
}

/** What to know before saying hello. */
export function CallerPanel({ call, pop, lead, onChoose, onChanged }: CallerProps) {
  const texts = useDeskTexts()
  // "None" would not be true of what could not be read.
  const isRead = (part: ScreenPop['unavailable'][number]): boolean => !pop.unavailable.some((one) => one === part || one === 'PLATFORM')
  return (
    <>
      {lead ? <LeadFacts lead={lead} /> : isRead('LEADS') && <Unknown pop={pop} />}
      {pop.candidates.length > 1 && <Candidates candidates={pop.candidates} chosen={lead?.id ?? null} onChoose={onChoose} />}
      {pop.lead && <Insight ucid={call.ucid} lead={pop.lead} />}
      <div className="desk-pair">
        {isRead('VISITS') && (
          <Block icon={<CalendarCheck />} title={texts.nextVisit}>
            <NextVisit visit={pop.nextVisit} />
            {lead && <Booking key={lead.id} lead={lead} onBooked={onChanged} />}
          </Block>
        )}
        {(isRead('TASKS') || pop.openItems.length > 0) && (
          <Block icon={<ListTodo />} title={texts.openItems}>
            <OpenItems items={pop.openItems} />
          </Block>
        )}
      </div>
      {isRead('CALLS') && (
        <Block icon={<PhoneCall />} title={texts.lastCalls}>
          <PastCalls calls={pop.lastCalls.filter(({ ucid }) => ucid !== call.ucid)} label={texts.lastCalls} empty={texts.noCalls} />
        </Block>
      )}
    </>
  )
}

function Block({ icon, title, children }: { readonly icon: ReactNode; readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="desk-block" aria-label={title}>
      <h3>
        {icon}
        {title}
      </h3>
      {children}
    </section>
  )
}

function LeadFacts({ lead: { id, email, phoneNumber, status, source } }: { readonly lead: Lead }) {
  const texts = useDeskTexts()
  const facts: readonly (readonly [string, ReactNode])[] = [
    [texts.phone, phoneNumber === null ? null : <PhoneNumber number={phoneNumber} leadId={id} />],
    [texts.email, email],
    [texts.status, status === null ? null : <Badge>{inWords(status)}</Badge>],
    [texts.source, source && inWords(source)],
  ]
  return (
    <dl className="desk-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

function Unknown({ pop }: { readonly pop: ScreenPop }) {
  const texts = useDeskTexts()
  if (pop.match === 'MANY') return null
  return (
    <Notice title={shownNumber(pop) === null ? texts.withheldCaller : texts.unknownCaller}>
      <p>{texts.unknownAdvice}</p>
    </Notice>
  )
}

type CandidatesProps = {
  readonly candidates: readonly Lead[]
  readonly chosen: string | null
  readonly onChoose: (leadId: string) => void
}

/** Several people have the number: the agent asks, and chooses. */
function Candidates({ candidates, chosen, onChoose }: CandidatesProps) {
  const texts = useDeskTexts()
  return (
    <section className="desk-block" aria-label={texts.whoIsIt(candidates.length)}>
      <h3>{texts.whoIsIt(candidates.length)}</h3>
      <ul className="desk-candidates">
        {candidates.map(({ id, name, status, insight }) => (
          <li key={id} data-chosen={id === chosen || undefined}>
            <div>
              <p className="desk-strong">{name}</p>
              <p>{insight?.summary ?? (status && inWords(status)) ?? '–'}</p>
            </div>
            <Button size="s" aria-pressed={id === chosen} onPress={() => onChoose(id)}>
              {id === chosen ? texts.chosen : texts.choose(name)}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Insight({ ucid, lead: { insight } }: { readonly ucid: string; readonly lead: Lead }) {
  const texts = useDeskTexts()
  const enrichment = useEnrichment(ucid)
  return (
    <section className="desk-insight" aria-label={texts.insight}>
      <h3>
        <Sparkles />
        {texts.insight}
      </h3>
      {enrichment?.available === true ? (
        <>
          <p className="desk-strong">{enrichment.whoIsThis}</p>
          <p>{enrichment.likelyReason}</p>
          {enrichment.suggestedOpening !== null && <blockquote>{enrichment.suggestedOpening}</blockquote>}
        </>
      ) : (
        <p aria-busy={enrichment === null}>{enrichment === null ? texts.thinking : (insight?.summary ?? enrichment.reason)}</p>
      )}
      {insight && enrichment?.available === true && <p>{insight.summary}</p>}
      {insight?.suggestedAction && (
        <p>
          <Badge tone="info">{texts[insight.suggestedAction]}</Badge> {insight.reason}
        </p>
      )}
    </section>
  )
}

function NextVisit({ visit }: { readonly visit: ScreenPop['nextVisit'] }) {
  const texts = useDeskTexts()
  const { localTime } = useFormats()
  if (!visit) return <p className="desk-none">{texts.noVisit}</p>
  return (
    <>
      <p className="desk-strong">
        <time dateTime={visit.startsAt}>{localTime(visit.localStartsAt)}</time>
      </p>
      {visit.title !== null && <p>{visit.title}</p>}
    </>
  )
}

function Booking({ lead, onBooked }: { readonly lead: Lead; readonly onBooked: () => void }) {
  const texts = useBookingTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="s" icon={<CalendarPlus />} onPress={() => setOpen(true)}>
        {texts.book}
      </Button>
      {isOpen && (
        <Suspense>
          <BookVisit lead={lead} onBooked={onBooked} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function OpenItems({ items }: { readonly items: ScreenPop['openItems'] }) {
  const texts = useDeskTexts()
  const { time } = useFormats()
  const now = useNow(60_000)
  if (items.length === 0) return <p className="desk-none">{texts.noItems}</p>
  return (
    <ul className="desk-items">
      {items.map(({ id, title, dueAt, kind }) => (
        <li key={id}>
          <span>{title}</span>
          {dueAt !== null && (
            <Badge tone={Date.parse(dueAt) < now ? 'warn' : kind === 'CALL_BACK' ? 'info' : 'neutral'}>{time(dueAt, now)}</Badge>
          )}
        </li>
      ))}
    </ul>
  )
}
