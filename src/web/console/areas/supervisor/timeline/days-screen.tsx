import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, UserRound } from 'lucide-react'
import { useMemo } from 'react'
import { useQuery } from 'urql'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { Select } from '../../../ui/select.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { useClinicToday } from '../clinic-today.ts'
import { addDays, isDate } from '../range.ts'
import { AgentDay } from './agent-day.tsx'
import { useDayTexts } from './texts.ts'
import { dayAgentsDocument } from './timeline-query.ts'
import '../supervisor.css'
import './timeline.css'

/** The days for which states are stored. */
const storedDays = 31

/** What one agent did on one day. */
export function DaysScreen() {
  const texts = useDayTexts()
  const today = useClinicToday()
  if (today !== null) return <LoadedDays today={today} />
  return (
    <Page title={texts.title} lead={texts.lead} isWide>
      <Skeleton rows={8} />
    </Page>
  )
}

function LoadedDays({ today }: { readonly today: string }) {
  const texts = useDayTexts()
  const { agent: askedAgent, date: askedDate } = useSearch({ from: '/supervisor/days' })
  const navigate = useNavigate()
  const { wholeDay } = useFormats()
  const { agents, error, isKnown } = useDayAgents(today)
  const agent = askedAgent ?? agents[0]?.value ?? null
  const date = isDate(askedDate) && askedDate <= today ? askedDate : today
  const show = (part: { readonly agent?: string; readonly date?: string }): void => {
    void navigate({ to: '/supervisor/days', search: { ...(agent !== null && { agent }), date, ...part }, replace: true })
  }
  return (
    <Page title={texts.title} lead={wholeDay(date)} isWide>
      <div className="day-choice">
        <Select label={texts.agent} options={agents} value={agent} onChange={(value) => show({ agent: value })} />
        <div className="day-date">
          <Button icon={<ChevronLeft />} aria-label={texts.before} onPress={() => show({ date: addDays(date, -1) })} />
          <Field label={texts.date} type="date" value={date} onChange={(value) => isDate(value) && show({ date: value })} />
          <Button
            icon={<ChevronRight />}
            aria-label={texts.after}
            isDisabled={date >= today}
            onPress={() => show({ date: addDays(date, 1) })}
          />
        </div>
      </div>
      {agent !== null ? (
        <AgentDay key={`${agent} ${date}`} agentId={agent} date={date} isToday={date === today} />
      ) : (
        <Card>
          {error ? (
            <ErrorState error={error} />
          ) : isKnown ? (
            <EmptyState icon={<UserRound />} title={texts.noAgents}>
              <p>{texts.noAgentsText}</p>
            </EmptyState>
          ) : (
            <Skeleton rows={6} />
          )}
        </Card>
      )}
    </Page>
  )
}

function useDayAgents(today: string) {
  const variables = useMemo(() => ({ from: addDays(today, -storedDays), to: today }), [today])
  const [{ data, error }] = useQuery({ query: dayAgentsDocument, variables })
  const agents = useMemo(() => {
    const names = new Map(data?.supervision.agents.map(({ id, agentName }) => [id, agentName]))
    for (const { agentId, agentName } of data?.history.rows ?? []) if (agentId !== null) names.set(agentId, agentName ?? agentId)
    return [...names].map(([value, label]) => ({ value, label })).toSorted((one, other) => one.label.localeCompare(other.label))
  }, [data])
  return { agents, error, isKnown: data !== undefined }
}
