// SPDX-License-Identifier: BSD-2-Clause
// Exact figures of the mark nearest to the pointer, or chosen with the arrow keys.
// Without it a mark's own title does, if less readily; nothing else needs it.
'use strict';
(() => {
	const REACH = 18; // pixels
	const tip = document.createElement('div');
	let at = null;

	tip.className = 'tip';
	tip.setAttribute('role', 'status');
	tip.hidden = true;
	document.body.append(tip);

	// Taken once: a title would be shown beside the tip.
	const marks = new WeakMap();
	const marksOf = plot => {
		if (!marks.has(plot))
			marks.set(plot, [...plot.querySelectorAll('title')].map(title => {
				const mark = {shape: title.parentNode, text: title.textContent};
				title.remove();
				return mark;
			}));
		return marks.get(plot).filter(m => getComputedStyle(m.shape).visibility !== 'hidden');
	};
	const middle = mark => {
		const box = mark.shape.getBoundingClientRect();
		return {x: box.x + box.width / 2, y: box.y + box.height / 2};
	};

	const show = mark => {
		if (at)
			at.shape.classList.remove('is-at');
		at = mark;
		tip.hidden = !mark;
		if (!mark)
			return;
		mark.shape.classList.add('is-at');
		tip.textContent = mark.text;
		const {x, y} = middle(mark), width = document.documentElement.clientWidth;
		const left = Math.min(x + 10, width - tip.offsetWidth - 8);
		const above = y - tip.offsetHeight - 10;
		tip.style.left = `${Math.max(8, left)}px`;
		tip.style.top = `${above > 0 ? above : y + 14}px`;
	};

	const nearest = (plot, x, y) => {
		let best = null, least = REACH;
		for (const mark of marksOf(plot)) {
			const m = middle(mark), distance = Math.hypot(m.x - x, m.y - y);
			if (distance < least)
				[best, least] = [mark, distance];
		}
		return best;
	};

	const step = (plot, by) => {
		const all = marksOf(plot).sort((a, b) => middle(a).x - middle(b).x);
		const from = all.indexOf(at);
		show(all[from < 0 ? 0 : Math.min(Math.max(from + by, 0), all.length - 1)]);
	};

	for (const plot of document.querySelectorAll('svg.plot')) {
		plot.setAttribute('tabindex', '0');
		plot.addEventListener('pointermove', e => show(nearest(plot, e.clientX, e.clientY)));
		plot.addEventListener('pointerleave', () => show(null));
		plot.addEventListener('blur', () => show(null));
		plot.addEventListener('keydown', e => {
			const by = {ArrowLeft: -1, ArrowRight: 1}[e.key];
			if (by) {
				step(plot, by);
				e.preventDefault();
			} else if (e.key === 'Escape') {
				show(null);
			}
		});
	}
	addEventListener('scroll', () => show(null), {passive: true, capture: true});
})();
