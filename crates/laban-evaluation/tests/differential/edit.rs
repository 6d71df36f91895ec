//! Small changes of networks: mistakes that people make, and steps towards a smaller example.

use crate::behaviour::{Act, Body, System};
use laban::generate::SeededRng;

/// Makes one random change, most of which are mistakes. Now and then nothing changes.
pub(crate) fn edit(system: &mut System, dice: &mut SeededRng) {
    let count = system.0.len();
    let number = dice.below(count);
    let stranger = dice.other_than(number, count);
    let process = &mut system.0[number];
    let procedures = process.procedures.clone();
    let bodies = procedures.len() + 1;
    let Some(body) = process.bodies_mut().nth(dice.below(bodies)) else { return };
    let place = dice.below(body.count());
    let Some(body) = body.at_mut(place) else { return };
    let old = std::mem::replace(body, Body::Stop);
    *body = match (old, dice.below(6)) {
        // Forget an action.
        (Body::Act(_, next), 0) => *next,
        // Two actions in the wrong order.
        (Body::Act(first, next), 1) => match *next {
            Body::Act(second, rest) => second.then(first.then(*rest)),
            next => first.then(next),
        },
        // The same action twice.
        (Body::Act(act, next), 2) => act.then(act.then(*next)),
        // The wrong partner.
        (Body::Act(mut act, next), 3) => {
            *act.partner_mut() = stranger;
            act.then(*next)
        }
        // The wrong label.
        (Body::Act(Act::Select(to, label), next), 4) => Act::Select(to, label ^ 1).then(*next),
        // A value in the place of a label.
        (Body::Act(Act::Select(to, _), next), _) => Act::Send(to, 0).then(*next),
        // Decide although it is decided already.
        (Body::If(_, arms), 0 | 1) => {
            let [then, otherwise] = *arms;
            if dice.one_in(2) { then } else { otherwise }
        }
        // Tell nobody.
        (Body::If(condition, mut arms), 2 | 3) => {
            let arm = &mut arms[dice.below(2)];
            let old = std::mem::replace(arm, Body::Stop);
            *arm = match old {
                Body::Act(Act::Select(..), next) => *next,
                other => other,
            };
            Body::If(condition, arms)
        }
        // One label less, or another.
        (Body::Offer(from, mut arms), 0..3) if arms.len() > 1 => {
            arms.remove(dice.below(arms.len()));
            Body::Offer(from, arms)
        }
        (Body::Offer(from, mut arms), 3) => {
            let arm = dice.below(arms.len());
            arms[arm].0 ^= 1;
            Body::Offer(from, arms)
        }
        // What was called in its own words: no mistake at all.
        (Body::Call(procedure), 0..4) => procedures[procedure].clone(),
        // Stop too early, or go on forever.
        (Body::Call(_), _) => Body::Stop,
        (Body::Stop, 0) if !procedures.is_empty() => Body::Call(dice.below(procedures.len())),
        (other, _) => other,
    };
}

/// All systems that are a little smaller than this one.
pub(crate) fn smaller(system: &System) -> Vec<System> {
    let mut smaller = Vec::new();
    for number in 0..system.0.len() {
        let bodies = system.0[number].procedures.len() + 1;
        for body in 0..bodies {
            let at = |copy: &mut System, place: usize, change: &dyn Fn(&mut Body)| {
                let body = copy.0[number].bodies_mut().nth(body)?.at_mut(place)?;
                let before = body.clone();
                change(body);
                (*body != before).then_some(())
            };
            let mut attempt = |place: usize, change: &dyn Fn(&mut Body)| {
                let mut copy = system.clone();
                if at(&mut copy, place, change).is_some() {
                    smaller.push(copy);
                }
            };
            let mut original = system.0[number].clone();
            let places = original.bodies_mut().nth(body).map_or(0, |body| body.count());
            for place in 0..places {
                attempt(place, &|body| *body = Body::Stop);
                for part in 0..2 {
                    attempt(place, &|body| {
                        if let Some(&part) = body.parts().get(part) {
                            *body = part.clone();
                        }
                    });
                }
            }
        }
        if system.0[number].service {
            let mut copy = system.clone();
            copy.0[number].service = false;
            smaller.push(copy);
        }
        if number + 1 == system.0.len() && number > 0 {
            let mut copy = system.clone();
            copy.0.pop();
            smaller.push(copy);
        }
    }
    smaller
}
