/** What tabs of this browser send about a call: one after the other. */
export function oneAtATime<Result>(ucid: string, task: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request(`call-center-sidecar:call:${ucid}`, task)
}
