import { Page } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useAsked } from './asked.ts'
import { CallList } from './call-list.tsx'
import { useClinicToday } from '../clinic-today.ts'
import { FigureView } from './figure-view.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useHistoryTexts } from './texts.ts'
import '../supervisor.css'
import './history.css'

/** Figures and calls of past days. */
export function HistoryScreen() {
  const texts = useHistoryTexts()
  const today = useClinicToday()
  if (today !== null) return <LoadedHistory today={today} />
  return (
    <Page title={texts.title} isWide>
      <Skeleton rows={8} />
    </Page>
  )
}

function LoadedHistory({ today }: { readonly today: string }) {
  const texts = useHistoryTexts()
  const { wholeDay } = useFormats()
  const [asked, change] = useAsked(today)
  const options = [
    { value: 'figures', label: texts.figures },
    { value: 'calls', label: texts.calls },
  ] as const
  const { from, to, view } = asked
  return (
    <Page
      title={texts.title}
      lead={from === to ? wholeDay(from) : `${wholeDay(from)} – ${wholeDay(to)}`}
      actions={<Segments label={texts.view} options={options} value={view} onChange={(value) => change({ view: value })} />}
      isWide
    >
      <FilterBar asked={asked} today={today} onChange={change} />
      {view === 'figures' ? <FigureView asked={asked} /> : <CallList key={JSON.stringify(asked)} asked={asked} />}
    </Page>
  )
}
