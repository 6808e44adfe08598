// SPDX-License-Identifier: BSD-2-Clause
// The live page: fetches the snapshot of each interval, and draws it. Texts of the
// host, such as command lines, are only ever put in as text.
'use strict';
(() => {
	const KEPT = 180; // intervals that plots go back
	const ROWS = 10;
	const RETRY_MS = 1000;
	const past = []; // snapshots' figures, the last one at the end
	let last = null, lastSeen = 0, failure = '';

	// ---- elements

	const fill = (node, attributes, children) => {
		for (const [name, value] of Object.entries(attributes))
			if (value !== null && value !== undefined)
				node.setAttribute(name, value);
		node.append(...children.filter(child => child !== null));
		return node;
	};
	const html = (name, attributes = {}, ...children) =>
		fill(document.createElement(name), attributes, children);
	const svg = (name, attributes = {}, ...children) =>
		fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
	const byId = id => document.getElementById(id);

	// ---- figures as people read them

	const digits = value => {
		const size = Math.abs(value);
		return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
	};
	const scaled = (value, units) => {
		let i = 0;
		while (i + 1 < units.length && Math.abs(value) >= units[i + 1][0])
			i++;
		return `${digits(value / units[i][0])} ${units[i][1]}`;
	};
	const DURATIONS = [[1, 'ns'], [1e3, 'µs'], [1e6, 'ms'], [1e9, 's'], [60e9, 'min'], [3600e9, 'h']];
	const BYTES = [[1, 'B'], [1024, 'KiB'], [1024 ** 2, 'MiB'], [1024 ** 3, 'GiB']];
	const known = show => value => value === null || value === undefined ? '–' : show(value);
	const duration = known(ns => scaled(ns, DURATIONS));
	const bytes = known(n => scaled(n, BYTES));
	const count = known(n => n.toLocaleString('en'));
	const rate = known(n => n < 100 ? digits(n) : Math.round(n).toLocaleString('en'));
	const percent = known(n => `${digits(n)}%`);
	const WHY_NOT = {
		not_linear: 'not linear',
		too_few: 'too few timed',
		trips_constant: 'trips hardly vary',
		too_noisy: 'too noisy',
	};

	// ---- tables

	// columns: [title, is a number, cell of a row as text or element]
	const table = (id, columns, rows) => {
		const cell = (tag, [, isNumber], content) =>
			html(tag, {class: isNumber ? 'n' : null}, content);
		const head = html('tr', {}, ...columns.map(c => cell('th', c, c[0])));
		const body = rows.map(row => html('tr', {},
			...columns.map((c, i) => cell(i ? 'td' : 'th', c, c[2](row)))));
		byId(id).replaceChildren(rows.length
			? html('table', {}, html('thead', {}, head), html('tbody', {}, ...body))
			: html('p', {class: 'note'}, 'None in the last interval.'));
	};

	const interval = (value, lo, hi) => value === null ? '–'
		: html('span', {}, duration(value), ' ', html('span', {class: 'ci'},
			`[${duration(lo)}, ${duration(hi)}]`));

	// ---- plots

	const WIDTH = 336, HEIGHT = 150, LEFT = 52, RIGHT = 8, TOP = 8, BOTTOM = 22;
	const bottom = HEIGHT - BOTTOM, right = WIDTH - RIGHT;

	// Ticks from 0 to at least most, at multiples of 1, 2 or 5 times a power of ten, of
	// a unit.
	const ticksTo = (most, unit) => {
		const raw = (most / unit || 1) / 3, power = 10 ** Math.floor(Math.log10(raw));
		const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= raw);
		const ticks = [];
		for (let i = 0; i < 2 || ticks[i - 1] < most; i++)
			ticks.push(i * step * unit);
		return ticks;
	};
	const yAxis = (most, show, unit = 1) => {
		const ticks = ticksTo(most, unit), top = ticks[ticks.length - 1];
		const place = y => bottom - (bottom - TOP) * Math.min(y, top) / top;
		const lines = ticks.map(t => svg('g', {},
			svg('path', {d: `M${LEFT} ${place(t)}H${right}`}),
			svg('text', {x: LEFT - 6, y: place(t) + 4}, t ? show(t) : '0')));
		return [place, svg('g', {class: 'axis y'}, ...lines)];
	};
	const xLabels = (first, last) => svg('g', {class: 'axis x'},
		svg('text', {class: 'from', x: LEFT, y: HEIGHT - 6}, first),
		svg('text', {class: 'to', x: right, y: HEIGHT - 6}, last));
	const picture = (title, note, label, ...parts) => html('figure', {},
		html('figcaption', {}, html('strong', {}, title), ...note),
		svg('svg', {class: 'plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label},
			...parts));

	// Points without y break the line; lo and hi make a band.
	const pieces = points => points.reduce((all, p) => {
		if (p.y === null || p.y === undefined)
			all.push([]);
		else
			all[all.length - 1].push(p);
		return all;
	}, [[]]).filter(piece => piece.length);

	const timePlot = (title, note, show, sides, unit = 1) => {
		const all = sides.flatMap(side => side.points).filter(p => p.y !== null && p.y !== undefined);
		const most = Math.max(0, ...all.map(p => p.hi ?? p.y));
		const [y, axis] = yAxis(most, show, unit);
		const from = past[0].time, to = past[past.length - 1].time;
		const x = t => to > from ? LEFT + (right - LEFT) * (t - from) / (to - from) : right;
		const at = (p, key) => `${x(p.time).toFixed(1)} ${y(p[key]).toFixed(1)}`;
		const draw = side => svg('g', {class: side.class}, ...pieces(side.points).flatMap(piece => {
			const band = piece.filter(p => p.hi !== undefined && p.hi !== null);
			return [
				band.length > 1 ? svg('path', {class: 'band', d: `M${band.map(p => at(p, 'hi')).join('L')}` +
					`L${[...band].reverse().map(p => at(p, 'lo')).join('L')}Z`}) : null,
				svg('path', {class: 'line', d: `M${piece.map(p => at(p, 'y')).join('L')}`}),
				svg('circle', {class: 'last', r: 2.5, cx: x(piece[piece.length - 1].time),
					cy: y(piece[piece.length - 1].y)}),
			];
		}));
		const ago = to > from ? `${duration((to - from) * 1e6)} ago` : '';
		return picture(title, note, `${title}, over time`, axis,
			xLabels(ago, 'now'), ...sides.map(draw));
	};

	// counts of durations below 2^10 ns, 2^11 ns, …
	const durationPlot = (title, note, counts) => {
		const first = Math.max(0, counts.findIndex(n => n));
		let end = counts.length;
		while (end > first + 1 && !counts[end - 1])
			end--;
		const shown = counts.slice(first, end), width = (right - LEFT) / shown.length;
		const [y, axis] = yAxis(Math.max(...shown), n => n.toLocaleString('en', {notation: 'compact'}));
		const bound = i => i + 1 < counts.length ? duration(2 ** (10 + i)) : 'longer';
		const bars = shown.map((n, i) => svg('rect', {class: 'bar', x: LEFT + i * width + 1, y: y(n),
			width: Math.max(1, width - 2), height: bottom - y(n)},
			svg('title', {}, `below ${bound(first + i)}: ${count(n)}`)));
		return picture(title, note, title, axis,
			xLabels(`< ${bound(first)}`, end < counts.length ? `< ${bound(end - 1)}` : 'longer'),
			svg('g', {class: 'base'}, ...bars));
	};

	// ---- sections

	const drawSites = s => {
		const seconds = s.interval_ns / 1e9;
		table('sites', [
			['site', false, f => f.site],
			['loops/s', true, f => rate(f.entries / seconds)],
			['trips/s', true, f => rate(f.trips / seconds)],
			['a trip [95%]', true, f => f.ns_per_trip === null ? WHY_NOT[f.fit] ?? '–'
				: interval(f.ns_per_trip, f.ns_per_trip_lo, f.ns_per_trip_hi)],
			['a loop [95%]', true, f => interval(f.ns_per_loop, f.ns_per_loop_lo, f.ns_per_loop_hi)],
			['iterator', true, f => f.iterator_ns === null || f.ns_per_trip === null ? '–'
				: percent(Math.min(100, 100 * f.iterator_ns / f.ns_per_trip))],
			['inlining saves', true, f => duration(f.inlined_saves_ns)],
		], s.sites);
		byId('site-figures').replaceChildren(...s.sites
			.filter(f => past.some(p => p.sites[f.site] && p.sites[f.site].y !== null))
			.map(f => timePlot(f.site, ['cost of a trip, with its 95% interval'], duration, [{
				class: 'base',
				points: past.map(p => ({time: p.time, ...p.sites[f.site]})),
			}])));
	};

	const key = (side, text) => html('span', {class: `key ${side}`}, text);

	const drawCost = s => {
		const points = name => past.map(p => ({time: p.time, y: p[name]}));
		byId('cost-figures').replaceChildren(
			timePlot('CPU time', ['of one CPU: ', key('base', 'the process'), ' and ', key('new', 'its BPF programs')],
				percent, [{class: 'base', points: points('cpu')}, {class: 'new', points: points('bpf')}]),
			timePlot('All BPF programs on this host', ['of one CPU, sampled for a tenth of the time'],
				percent, [{class: 'base', points: points('host')}]),
			timePlot('Memory', [key('base', 'the process'), ' and ', key('new', 'its BPF maps')],
				bytes, [{class: 'base', points: points('rss')}, {class: 'new', points: points('maps')}], 1024 ** 2),
			timePlot('Events', ['a second, of all tracers'], rate, [{class: 'base', points: points('events')}]));
	};

	const drawRunq = s => {
		byId('runq-figures').replaceChildren(s.runq.wait_log2 && s.runq.wait_log2.some(n => n)
			? durationPlot('How long they waited', ['waits that ended in the last interval'], s.runq.wait_log2)
			: '');
		table('runq', [
			['cgroup', false, c => c.cgroup ?? '–'],
			['waits', true, c => count(c.waits)],
			['p50', true, c => duration(c.p50_ns)],
			['p99', true, c => duration(c.p99_ns)],
			['max', true, c => duration(c.max_ns)],
			['waited', true, c => duration(c.wait_ns)],
		], s.runq.cgroups.slice(0, ROWS));
	};

	const drawSyscall = s => table('syscall', [
		['system call', false, c => c.name],
		['calls', true, c => count(c.count)],
		['errors', true, c => count(c.errors)],
		['total', true, c => duration(c.total_ns)],
		['mean', true, c => duration(c.mean_ns)],
	], s.syscall.by_total.slice(0, ROWS));

	const drawExec = s => table('exec', [
		['process', false, p => p.comm ?? '–'],
		['pid', true, p => p.pid === null ? '–' : String(p.pid)],
		['status', false, p => p.status ?? '–'],
		['lifetime', true, p => duration(p.lifetime_ns)],
		['arguments', false, p => html('code', {}, (p.argv ?? []).join(' ').slice(0, 200))],
	], s.exec.processes.slice(0, ROWS));

	const lossOf = t => Object.entries(t.lost).filter(([, n]) => n);

	const drawTracers = s => {
		const wanted = s.tracers.filter(t => t.reason !== 'not asked for');
		table('tracers', [
			['tracer', false, t => t.name],
			['state', false, t => t.state],
			['events', true, t => count(t.events)],
			['lost', false, t => lossOf(t).map(([cause, n]) => `${cause} ${count(n)}`).join(', ') || 'none'],
			['reason', false, t => t.reason ?? ''],
		], wanted);
		const warnings = wanted.flatMap(t => [
			...(t.state === 'off' ? [`${t.name} is off: ${t.reason}`] : []),
			...lossOf(t).map(([cause, n]) => `${t.name} lost ${count(n)} in the last interval: ${cause}`),
		]);
		byId('warnings').replaceChildren(...warnings.map(text => html('li', {}, text)));
		byId('warnings').hidden = !warnings.length;
	};

	const SECTIONS = {
		sites: drawSites, self: drawCost, runq: drawRunq, syscall: drawSyscall, exec: drawExec,
		tracers: drawTracers,
	};

	const remember = s => {
		past.push({
			time: s.time_ns / 1e6,
			cpu: s.self.cpu_percent, bpf: s.self.bpf_cpu_percent, host: s.host_bpf.cpu_percent,
			rss: s.self.rss_bytes, maps: s.self.map_bytes,
			events: s.tracers.reduce((sum, t) => sum + (t.events ?? 0), 0) / (s.interval_ns / 1e9),
			sites: Object.fromEntries(s.sites.map(f =>
				[f.site, {y: f.ns_per_trip, lo: f.ns_per_trip_lo, hi: f.ns_per_trip_hi}])),
		});
		past.splice(0, past.length - KEPT);
	};

	const draw = s => {
		for (const section of document.querySelectorAll('section')) {
			const needs = section.dataset.needs;
			section.hidden = !s[needs];
			if (s[needs])
				SECTIONS[needs](s);
		}
	};

	const drawState = () => {
		const state = byId('state');
		state.textContent = failure || (last ? `Tracing on ${last.loops}` : 'Waiting for the first interval');
		state.classList.toggle('is-lost', !!failure);
		byId('age').textContent = last
			? `The last interval, of ${duration(last.interval_ns)}, came ${Math.round((Date.now() - lastSeen) / 1000)} s ago.`
			: '';
	};

	// ---- fetching

	const get = async path => {
		const answer = await fetch(path, {cache: 'no-store', signal: AbortSignal.timeout(10000)});
		if (!answer.ok)
			throw new Error((await answer.text()).trim());
		return answer.json();
	};

	const drawKernel = async () => {
		const k = await get('identity');
		byId('kernel').textContent = ['itertrace', k.release, k.arch, k.cpu,
			k.build_id && `build id ${k.build_id.slice(0, 12)}`].filter(Boolean).join(' · ');
		document.title = `itertrace · ${k.release}`;
	};

	// Once an interval; a little late is asked again soon.
	const turn = async () => {
		let wait = RETRY_MS;
		try {
			const s = await get('snapshot');
			failure = '';
			if (!last || s.time_ns !== last.time_ns) {
				last = s;
				lastSeen = Date.now();
				remember(s);
				draw(s);
				wait = Math.max(RETRY_MS, s.interval_ns / 1e6);
			}
		} catch (error) {
			if (last)
				failure = error instanceof TypeError || error.name === 'TimeoutError'
					? 'itertrace does not answer' : error.message;
		}
		drawState();
		setTimeout(turn, wait);
	};

	for (const section of document.querySelectorAll('section'))
		section.hidden = true;
	drawKernel().catch(() => {});
	setInterval(drawState, RETRY_MS);
	turn();
})();
