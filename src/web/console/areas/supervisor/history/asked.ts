import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type Range, validRange } from '../range.ts'

export const groupings = ['DAY', 'HOUR', 'AGENT', 'CAMPAIGN'] as const
export type Grouping = (typeof groupings)[number]

/** What the screen shows: in its address, so that it can be sent to somebody. */
export type Asked = Range & {
  readonly by: Grouping
  readonly agent: string | null
  readonly campaign: string | null
  readonly view: 'figures' | 'calls'
}

/** `today`: the clinic's day. */
export function useAsked(today: string): readonly [asked: Asked, change: (part: Partial<Asked>) => void] {
  const { from, to, by, agent, campaign, view } = useSearch({ from: '/supervisor/history' })
  const navigate = useNavigate()
  const asked = useMemo<Asked>(
    () => ({
      ...validRange({ from, to }, today),
      by: groupings.find((one) => one === by) ?? 'DAY',
      agent: agent ?? null,
      campaign: campaign ?? null,
      view: view === 'calls' ? 'calls' : 'figures',
    }),
    [from, to, by, agent, campaign, view, today],
  )
  const change = useCallback(
    (part: Partial<Asked>) => {
      const { agent: chosenAgent, campaign: chosenCampaign, ...next } = { ...asked, ...part }
      const filters = { ...(chosenAgent !== null && { agent: chosenAgent }), ...(chosenCampaign !== null && { campaign: chosenCampaign }) }
      void navigate({ to: '/supervisor/history', search: { ...next, ...filters }, replace: true })
    },
    [asked, navigate],
  )
  return [asked, change]
}
