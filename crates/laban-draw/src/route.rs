//! The way of an edge across a picture.

/// A point of a picture: from the left, and from the top.
pub type Point = (f64, f64);

/// The way of an edge: pieces that follow one another.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Route {
    /// Where it starts.
    pub start: Point,
    /// Its pieces; none if nothing is drawn.
    pub pieces: Vec<Piece>,
}

/// A piece of a route, from where the one before it ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Piece {
    /// A straight line.
    Line(Point),
    /// A cubic Bézier curve: its two control points, and its end.
    Curve(Point, Point, Point),
}

impl Piece {
    /// Where it ends.
    pub fn end(self) -> Point {
        match self {
            Piece::Line(end) | Piece::Curve(_, _, end) => end,
        }
    }
}

impl Route {
    pub(crate) fn from(start: Point) -> Self {
        Route { start, pieces: Vec::new() }
    }

    /// Where it ends.
    pub fn end(&self) -> Point {
        self.pieces.last().map_or(self.start, |piece| piece.end())
    }

    /// A straight line, unless it is too short to be seen.
    pub(crate) fn line(&mut self, to: Point) {
        let (x, y) = self.end();
        if (x - to.0).hypot(y - to.1) > 0.05 {
            self.pieces.push(Piece::Line(to));
        }
    }

    pub(crate) fn curve(&mut self, first: Point, second: Point, to: Point) {
        self.pieces.push(Piece::Curve(first, second, to));
    }

    /// A bend that leaves in the direction of a corner and arrives from there.
    pub(crate) fn bend(&mut self, corner: Point, to: Point) {
        let near = |(x, y): Point| (x + (corner.0 - x) * 0.6, y + (corner.1 - y) * 0.6);
        let first = near(self.end());
        self.curve(first, near(to), to);
    }

    /// Points on the route, close enough to each other for measurements.
    pub fn points(&self) -> Vec<Point> {
        const STEPS: usize = 12;
        let mut points = vec![self.start];
        let mut at = self.start;
        for piece in &self.pieces {
            if let Piece::Curve(first, second, end) = *piece {
                for step in 1..STEPS {
                    let along = step as f64 / STEPS as f64;
                    let back = 1.0 - along;
                    let mix = |a: f64, b: f64, c: f64, d: f64| {
                        a * back * back * back
                            + 3.0 * b * back * back * along
                            + 3.0 * c * back * along * along
                            + d * along * along * along
                    };
                    points.push((mix(at.0, first.0, second.0, end.0), mix(at.1, first.1, second.1, end.1)));
                }
            }
            at = piece.end();
            points.push(at);
        }
        points
    }
}
