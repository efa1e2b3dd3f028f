//! scratch
use landbridge::data::synthetic::*;
use landbridge::geometry::affinity::Weights;
use landbridge::method::InstanceAlignment;
fn main() {
    let n = 20000;
    let which = std::env::args().nth(1).unwrap();
    let d: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let data = match which.as_str() {
        "lifted" => LiftedCopies::new(n).intrinsic(8).clusters(10).features([50usize, 50]).generate().unwrap(),
        "swiss" => SwissRolls::new(n).generate().unwrap(),
        _ => ThinChains::new(n).generate().unwrap(),
    };
    for _ in 0..std::env::args().nth(3).map_or(1, |s| s.parse().unwrap()) {
        let pairs = data.pairs(1000, 0).unwrap();
        let t = std::time::Instant::now();
        let a = InstanceAlignment::new(d).weights(Weights::Binary).fit(&data.datasets, &pairs).unwrap();
        let o = a.outcome();
        println!(
            "{which} d={d}: {:.2?} {} res {:.1e} it {} comps {} {:?} lam {:.3e}..{:.3e}",
            t.elapsed(),
            o.solver,
            o.residual,
            o.iterations,
            o.components,
            o.seconds.iter().map(|s| format!("{} {:.2}", s.name, s.seconds)).collect::<Vec<_>>(),
            a.eigenvalues()[0],
            a.eigenvalues()[d - 1]
        );
    }
}
