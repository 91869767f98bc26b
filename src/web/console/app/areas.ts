import type { Member } from '@call-center-sidecar/client'
import { administrationArea } from '../areas/administration/area.ts'
import type { Area } from '../areas/area.ts'
import { deskArea } from '../areas/desk/area.ts'
import { recordingsArea } from '../areas/recordings/area.ts'
import { supervisorArea } from '../areas/supervisor/area.ts'

/** In the order of the navigation. */
const areas: readonly Area[] = [deskArea, supervisorArea, recordingsArea, administrationArea]

/** With the screens that the member has there. */
export function areasOf(member: Pick<Member, 'role' | 'agent'>): readonly Area[] {
  return areas
    .filter(({ isFor }) => isFor(member))
    .map((area) => ({ ...area, screens: area.screens.filter(({ isFor }) => isFor?.(member) ?? true) }))
}

/** The area that a path belongs to. Null for a path of no area. */
export function areaOfPath(path: string): Area | null {
  return areas.find(({ id }) => path === `/${id}` || path.startsWith(`/${id}/`)) ?? null
}
